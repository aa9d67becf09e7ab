/**
 * Finds out what a source is, by the names of its files.
 *
 * @module
 */
import type { SourceKind } from "./plan.ts";
import { endingOf, stemOf } from "./source/names.ts";

export const MARKDOWN_ENDINGS: ReadonlySet<string> = new Set(["md", "markdown", "mdx"]);
export const HTML_ENDINGS: ReadonlySet<string> = new Set(["html", "htm"]);

const VENDOR_ID = /(?:^|[ _-])[0-9a-f]{32}(?:_all)?$/i;

/**
 * Returns the kind of a source. `isVault` tells whether an Obsidian settings folder is there, which
 * is hidden among its files.
 */
export function detectKind(
  paths: Iterable<string>,
  { isVault }: { readonly isVault: boolean },
): SourceKind {
  let markdown = 0;
  let html = 0;
  const all = [...paths];
  for (const path of all) {
    if (!VENDOR_ID.test(stemOf(path))) continue;
    const ending = endingOf(path);
    if (MARKDOWN_ENDINGS.has(ending) || ending === "csv") markdown++;
    if (HTML_ENDINGS.has(ending)) html++;
  }
  if (html > markdown) return "notion-html";
  if (markdown > 0) return "notion-markdown";
  if (isVault) return "obsidian";
  if (isLogseq(all)) return "logseq";
  const endings = new Set(all.map(endingOf));
  const hasOther = [...MARKDOWN_ENDINGS, "csv", "tsv", "xlsx"].some((one) => endings.has(one));
  return !hasOther && [...HTML_ENDINGS].some((one) => endings.has(one)) ? "notion-html" : "folder";
}

function isLogseq(paths: readonly string[]): boolean {
  const hasConfig = paths.some((path) => /(?:^|\/)logseq\/config\.edn$/.test(path));
  const hasJournals = paths.some((path) =>
    /(?:^|\/)journals\/\d{4}[_-]\d{2}[_-]\d{2}\.(?:md|org)$/.test(path)
  );
  return hasConfig || (hasJournals && paths.some((path) => /(?:^|\/)pages\/[^/]+\.md$/.test(path)));
}
