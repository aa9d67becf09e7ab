/**
 * Reads blocks that begin with a text: their rich text and their children.
 *
 * @module
 */
import type { Paragraph, RootContent } from "mdast";
import type { BlockInput } from "../blocks/block_input.ts";
import type { CodeLanguage } from "../blocks/languages.ts";
import type { RichTextInput, RichTextItemInput } from "../values/rich_text.ts";
import { type Definitions, fromPhrasing } from "./from_phrasing.ts";
import { isForm } from "./link_forms.ts";
import { plainItems, splitItems } from "./rich_text_limits.ts";

/** The context of reading a node. */
export interface FlowContext {
  /** The parsed Markdown. */
  readonly text: string;
  readonly definitions: Definitions;
  /** Converts content to blocks. */
  blocks(content: readonly RootContent[]): BlockInput[];
  /** Like `blocks()`, but keeps columns, which are valid only in a column list. */
  columns(content: readonly RootContent[]): BlockInput[];
}

/** The text and the children of a block in the form that clients write. */
export interface TextAndChildren {
  readonly rich_text: RichTextInput;
  readonly children?: readonly BlockInput[];
}

/** The value of a block with this content. A paragraph at the start becomes its text. */
export function withText(content: readonly RootContent[], context: FlowContext): TextAndChildren {
  const [first, ...rest] = content;
  if (first?.type === "paragraph" && !isForm(first)) {
    const [rich_text = [], ...more] = splitItems(fromPhrasing(first.children, context.definitions));
    return withChildren(rich_text, [...more.map(paragraph), ...context.blocks(rest)]);
  }
  return withChildren([], context.blocks(content));
}

/** A block with this text, and paragraphs for the text that does not fit into it. */
export function textBlocks(
  items: readonly RichTextItemInput[],
  toBlock: (text: RichTextInput) => BlockInput = paragraph,
): BlockInput[] {
  const [first = [], ...more] = splitItems(items);
  return [toBlock(first), ...more.map(paragraph)];
}

/** The blocks of an ordinary paragraph. */
export function paragraphBlocks({ children }: Paragraph, context: FlowContext): BlockInput[] {
  return textBlocks(fromPhrasing(children, context.definitions));
}

/** Code blocks with this text, as many as it needs. */
export function codeBlocks(text: string, language: CodeLanguage, caption = ""): BlockInput[] {
  const [named = []] = splitItems(plainItems(caption));
  return splitItems(plainItems(text)).map((rich_text, index) => ({
    code: { rich_text, language, ...(index === 0 && named.length > 0 && { caption: named }) },
  }));
}

export function paragraph(rich_text: RichTextInput): BlockInput {
  return { paragraph: { rich_text } };
}

function withChildren(rich_text: RichTextInput, children: readonly BlockInput[]): TextAndChildren {
  return children.length > 0 ? { rich_text, children } : { rich_text };
}
