/**
 * Converts Markdown to the content of a new page.
 *
 * @module
 */
import type { BlockInput } from "../blocks/block_input.ts";
import { type FrontMatter, readFrontMatter } from "./front_matter.ts";
import { isEnhanced } from "./enhanced/detect.ts";
import { readEnhanced } from "./enhanced/read_enhanced.ts";
import { fromFlow } from "./from_flow.ts";
import { parseMarkdown } from "./parse_markdown.ts";
import type { MarkdownVariant } from "./print_portion.ts";

export interface MarkdownContent {
  readonly frontMatter: FrontMatter | undefined;
  /** Blocks that are valid individually; there may be too many of them. */
  readonly blocks: readonly BlockInput[];
}

/**
 * Reads the content of a text. The time it takes cannot be predicted from the size of the text.
 * Throws a `RangeError` if the text is nested too deeply. Without a variant, a text with constructs of
 * enhanced Markdown is read as such.
 */
export function readMarkdown(markdown: string, variant?: MarkdownVariant): MarkdownContent {
  // Literal carriage returns are printed as character references, so these are line ends.
  const text = markdown.replace(/\r\n?/g, "\n");
  if (variant === "enhanced" || variant === undefined && isEnhanced(text)) return enhanced(text);
  const root = parseMarkdown(text, { frontMatter: true });
  return { frontMatter: readFrontMatter(root), blocks: fromFlow(root, text) };
}

const FRONT_MATTER = /^---[ \t]*\n(?:[^]*?\n)?---[ \t]*(?:\n|$)/;

function enhanced(text: string): MarkdownContent {
  const [matter = ""] = FRONT_MATTER.exec(text) ?? [];
  const frontMatter = matter === ""
    ? undefined
    : readFrontMatter(parseMarkdown(matter, { frontMatter: true }));
  const rest = frontMatter === undefined ? text : text.slice(matter.length);
  return { frontMatter, blocks: readEnhanced(rest) };
}
