/**
 * Takes blocks apart and puts them together again, whatever their type.
 *
 * @module
 */
import type { BlockInput } from "../../../content/blocks/mod.ts";
import type { RichTextInput } from "../../../content/values/rich_text.ts";

/** The members that blocks of some types have. */
export interface BlockBody {
  readonly rich_text?: RichTextInput;
  readonly caption?: RichTextInput;
  readonly cells?: readonly RichTextInput[];
  readonly external?: { readonly url: string };
  readonly url?: string;
  readonly name?: string;
  readonly children?: readonly BlockInput[];
}

export interface OpenBlock {
  readonly type: string;
  readonly body: BlockBody;
}

/** The type and the members of a block. */
export function openBlock(block: BlockInput): OpenBlock {
  const [type = "", body = {}] = Object.entries(block)
    .find(([key]) => key !== "object" && key !== "type") ?? [];
  return { type, body };
}

/** A block of this type with these members. */
export function makeBlock(type: string, body: BlockBody): BlockInput {
  // Sound as long as the members are those of the type, as in all blocks that were taken apart.
  return { [type]: body } as unknown as BlockInput;
}

/** A paragraph with a plain text. */
export function plainParagraph(content: string): BlockInput {
  return { paragraph: { rich_text: content === "" ? [] : [{ text: { content } }] } };
}

/** The characters of a rich text. */
export function plainTextOf(text: RichTextInput): string {
  return text.map((item) => "text" in item ? item.text.content : "").join("");
}

/** Replaces each block by others, its children first. */
export function mapBlocks(
  blocks: readonly BlockInput[],
  replace: (block: OpenBlock) => readonly BlockInput[],
): BlockInput[] {
  return blocks.flatMap((block) => {
    const { type, body } = openBlock(block);
    const { children } = body;
    const mapped = children === undefined
      ? body
      : { ...body, children: mapBlocks(children, replace) };
    return replace({ type, body: mapped });
  });
}
