/**
 * Converts Markdown to the content of a new page.
 *
 * @module
 */
import type { BlockInput } from "../blocks/block_input.ts";
import { type FrontMatter, readFrontMatter } from "./front_matter.ts";
import { fromFlow } from "./from_flow.ts";
import { parseMarkdown } from "./parse_markdown.ts";

export interface MarkdownContent {
  readonly frontMatter: FrontMatter | undefined;
  /** Blocks that are valid individually; there may be too many of them. */
  readonly blocks: readonly BlockInput[];
}

/**
 * Reads the content of a text. The time it takes cannot be predicted from the size of the text.
 * Throws a `RangeError` if the text is nested too deeply.
 */
export function readMarkdown(markdown: string): MarkdownContent {
  // Literal carriage returns are printed as character references, so these are line ends.
  const text = markdown.replace(/\r\n?/g, "\n");
  const root = parseMarkdown(text, { frontMatter: true });
  return { frontMatter: readFrontMatter(root), blocks: fromFlow(root, text) };
}
