/**
 * Markdown as the content of a new page.
 *
 * @module
 */
import type { BlockInput } from "../blocks/block_input.ts";
import { type FrontMatter, readFrontMatter } from "./front_matter.ts";
import { fromFlow } from "./from_flow.ts";
import { parseMarkdown } from "./parse.ts";

export interface MarkdownContent {
  readonly frontMatter: FrontMatter | undefined;
  /** Blocks without faults of their own, though there may be too many. */
  readonly blocks: readonly BlockInput[];
}

/**
 * The content that a text stands for. Takes a time that nobody can foretell, and throws `RangeError`
 * where the text nests too deep.
 */
export function readMarkdown(markdown: string): MarkdownContent {
  // A carriage return that is meant as one is written as a character reference.
  const text = markdown.replace(/\r\n?/g, "\n");
  const root = parseMarkdown(text, { frontMatter: true });
  return { frontMatter: readFrontMatter(root), blocks: fromFlow(root, text) };
}
