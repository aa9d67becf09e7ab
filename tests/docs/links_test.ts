/**
 * The links between the pages of the documentation, and its index.
 *
 * @module
 */
import { assertEquals } from "../assert.ts";
import { listPages, ROOT } from "./pages.ts";

/** Links to other sites are not followed. */
const LINK = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g;
const HEADING = /^#{1,6} (.+)$/gm;
const COMMENT_OR_CODE = /<!--[^]*?-->|^ *(`{3,})[^]*?^ *\1$|`[^`\n]*`/gm;

Deno.test("every link leads to a file and a heading that exist", () => {
  const broken = listPages().flatMap(({ path, text }) =>
    [...text.replace(COMMENT_OR_CODE, "").matchAll(LINK)]
      .filter(([, file = "", heading]) => !leadsSomewhere(path, file, heading))
      .map(([link]) => `${path}: ${link.slice(1)}`)
  );
  assertEquals(broken, []);
});

Deno.test("docs/README.md lists every page of docs/", () => {
  const index = Deno.readTextFileSync(`${ROOT}docs/README.md`);
  const missing = listPages().map(({ path }) => path)
    .filter((path) => path.startsWith("docs/") && path !== "docs/README.md")
    .filter((path) => !index.includes(`](${path.slice("docs/".length)})`));
  assertEquals(missing, []);
});

function leadsSomewhere(path: string, file: string, heading: string | undefined): boolean {
  const target = new URL(
    file === "" ? path.split("/").at(-1) ?? "" : file,
    `file://${ROOT}${path}`,
  );
  const text = readText(target);
  if (text === undefined) return false;
  return heading === undefined || anchorsOf(text).includes(heading);
}

/** Returns the text of a file, empty for a folder, or undefined if it does not exist. */
function readText(url: URL): string | undefined {
  try {
    return Deno.statSync(url).isFile ? Deno.readTextFileSync(url) : "";
  } catch {
    return undefined;
  }
}

/** Returns the anchors of the headings, as forges make them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(HEADING)].map(([, heading = ""]) =>
    heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-")
  );
}
