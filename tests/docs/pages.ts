/**
 * The pages of the documentation.
 *
 * @module
 */

/** Folder of the repository, with a slash at the end. */
export const ROOT = new URL("../../", import.meta.url).pathname;

export interface DocumentationPage {
  /** Path in the repository. */
  readonly path: string;
  readonly text: string;
}

/** Returns the pages whose blocks are run: the guides, without decisions. */
export function listPages(): DocumentationPage[] {
  const docs = [...Deno.readDirSync(`${ROOT}docs`)].map(({ name }) => name)
    .filter((name) => name.endsWith(".md")).sort().map((name) => `docs/${name}`);
  return ["README.md", "CONTRIBUTING.md", ...docs, "policy/README.md"]
    .map((path) => ({ path, text: Deno.readTextFileSync(ROOT + path) }));
}
