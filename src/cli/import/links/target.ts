/**
 * URLs that stand for pages, databases and files of a source until these exist on the server.
 *
 * @module
 */

/** The target of a link in a source. */
export type LinkTarget =
  | { readonly kind: "node"; readonly key: string }
  | { readonly kind: "file"; readonly path: string };

const SCHEME = /^recto-import:(node|file):(.*)$/s;

/** The URL that stands for a target. */
export function targetUrl(target: LinkTarget): string {
  const name = target.kind === "node" ? target.key : target.path;
  return `recto-import:${target.kind}:${name}`;
}

/** The target that a URL stands for; undefined for all other URLs. */
export function parseTarget(url: string): LinkTarget | undefined {
  const [, kind, name] = SCHEME.exec(url) ?? [];
  if (name === undefined) return undefined;
  return kind === "node" ? { kind, key: name } : { kind: "file", path: name };
}

/** Returns whether a URL can be written as it is: it names a scheme. */
export function isAbsolute(url: string): boolean {
  return /^(?:https?|mailto|tel|ftp|obsidian|logseq|notion|zotero|file|data):/i.test(url);
}
