/**
 * Blocks that begin with a text: their rich text, and what follows it inside them.
 *
 * @module
 */
import type { Paragraph, RootContent } from "mdast";
import type { BlockInput } from "../blocks/block_input.ts";
import type { CodeLanguage } from "../blocks/languages.ts";
import type { RichTextInput, RichTextItemInput } from "../values/rich_text.ts";
import { fromPhrasing } from "./from_phrasing.ts";
import { isForm } from "./link_forms.ts";
import { inGroups, plainRuns } from "./runs.ts";
import type { Source } from "./source.ts";

/** The text and the children of a block, as they are written. */
export interface TextAndChildren {
  readonly rich_text: RichTextInput;
  readonly children?: readonly BlockInput[];
}

/** The value of a block that holds this content: a paragraph at its start is its text. */
export function withText(content: readonly RootContent[], source: Source): TextAndChildren {
  const [first, ...rest] = content;
  if (first?.type === "paragraph" && !isForm(first)) {
    const [rich_text = [], ...more] = inGroups(fromPhrasing(first.children, source.definitions));
    return withChildren(rich_text, [...more.map(paragraph), ...source.blocks(rest)]);
  }
  return withChildren([], source.blocks(content));
}

/** The blocks of a text: one, and paragraphs for what it cannot hold. */
export function textBlocks(
  items: readonly RichTextItemInput[],
  toBlock: (text: RichTextInput) => BlockInput = paragraph,
): BlockInput[] {
  const [first = [], ...more] = inGroups(items);
  return [toBlock(first), ...more.map(paragraph)];
}

/** A text like any other. */
export function paragraphBlocks({ children }: Paragraph, source: Source): BlockInput[] {
  return textBlocks(fromPhrasing(children, source.definitions));
}

/** Code; what one block cannot hold follows in another. */
export function codeBlocks(text: string, language: CodeLanguage, caption = ""): BlockInput[] {
  const [named = []] = inGroups(plainRuns(caption));
  return inGroups(plainRuns(text)).map((rich_text, index) => ({
    code: { rich_text, language, ...(index === 0 && named.length > 0 && { caption: named }) },
  }));
}

export function paragraph(rich_text: RichTextInput): BlockInput {
  return { paragraph: { rich_text } };
}

function withChildren(rich_text: RichTextInput, children: readonly BlockInput[]): TextAndChildren {
  return children.length > 0 ? { rich_text, children } : { rich_text };
}
