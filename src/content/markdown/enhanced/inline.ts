/**
 * Reads the text of one block of enhanced Markdown.
 *
 * @module
 */
import type { PhrasingContent } from "mdast";
import type { RichTextItemInput } from "../../values/rich_text.ts";
import { fromPhrasing } from "../from_phrasing.ts";
import { parseInline } from "../parse_markdown.ts";
import { plainItems } from "../rich_text_limits.ts";

/** Texts without any of these have no markup. */
const MARKUP = /[\\`*_~<[\]&$!^@]|:\/\/|www\./i;
const CITATION = /\[\^(https?:[^[\]\s]+)\]/g;
const NO_DEFINITIONS = new Map();

/** The rich text of a line. Each item is within its limits; there may be more than 100 items. */
export function readInline(line: string): RichTextItemInput[] {
  const text = line.trim();
  if (text === "") return [];
  if (!MARKUP.test(text)) return plainItems(text);
  return fromPhrasing(contentOf(withCitations(text)), NO_DEFINITIONS);
}

/** A citation is a link to its source. */
function withCitations(text: string): string {
  if (!text.includes("[^")) return text;
  return text.replace(CITATION, "[$1]($1)");
}

function contentOf(text: string): PhrasingContent[] {
  return parseInline(text).children.flatMap((node) =>
    node.type === "paragraph" ? node.children : []
  );
}
