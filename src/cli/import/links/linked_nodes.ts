/**
 * Finds links in a text that is not parsed.
 *
 * @module
 */
import type { LinkContext } from "./link_blocks.ts";
import type { LinkTarget } from "./target.ts";

/** The destination of a link, a definition or an element. */
const DESTINATION = /(?:\]\(|\]:|href=")\s*<?([^\s<>()"]+(?:\([^\s()]*\)[^\s<>()"]*)*)/g;
const WIKI_NAME = /\[\[([^\[\]\n|#]{1,500})/g;

/**
 * The keys of the pages and databases that a text of Markdown or HTML seems to link to. What looks
 * like a link in code is among them, and links that are written in an unusual way are missing.
 */
export function linkedNodes(
  text: string,
  { index, from }: Pick<LinkContext, "index" | "from">,
): Set<string> {
  const targets = [
    ...linkUrls(text).map((url) => index.resolveUrl(url, from)),
    ...matches(text, WIKI_NAME).map((name) => index.resolveName(withoutBar(name), from)),
  ];
  return new Set(targets.flatMap(keyOf));
}

/** The URLs of links, in order. */
export function linkUrls(text: string): string[] {
  return matches(text, DESTINATION);
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = ""]) => found);
}

/** In tables the bar behind a name is written `\|`. */
function withoutBar(name: string): string {
  return name.replace(/\\$/, "").trim();
}

function keyOf(target: LinkTarget | undefined): string[] {
  return target?.kind === "node" ? [target.key] : [];
}
