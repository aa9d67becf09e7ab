/**
 * The rich text of a comment that was written as Markdown: its blocks become lines.
 *
 * @module
 */
import type { Node } from "../schema/node.ts";
import { LIMITS } from "../values/limits.ts";
import { PLAIN, type RichText, type RichTextItem } from "../values/rich_text.ts";

type Block = Pick<Node, "type" | "doc">;

/** The members of block documents that have text. */
interface TextDoc {
  readonly rich_text?: RichText;
  readonly cells?: readonly RichText[];
  readonly expression?: string;
  readonly url?: string;
  readonly checked?: boolean;
}

/** Returns the texts of blocks, one after the other, each on a line of its own. */
export function textOfBlocks(blocks: readonly Block[]): RichText {
  const items: RichTextItem[] = [];
  let number = 0;
  for (const block of blocks) {
    number = block.type === "numbered_list_item" ? number + 1 : 0;
    const line = lineOf(block, number);
    if (line.length === 0) continue;
    if (items.length > 0) appendText(items, "\n");
    for (const item of line) append(items, item);
  }
  return items;
}

function lineOf({ type, doc }: Block, number: number): RichText {
  // Sound because a block's `doc` is its value, and all members are optional here.
  const { rich_text, cells, expression, url, checked } = JSON.parse(doc) as TextDoc;
  const text = rich_text ??
    (cells ?? []).flatMap((cell, index) => index === 0 ? cell : [textItem(" | "), ...cell]);
  const mark = markOf(type, { number, checked });
  if (text.length > 0) return mark === "" ? text : [textItem(mark), ...text];
  const other = expression ?? url;
  return other === undefined ? [] : [textItem(other)];
}

interface ListState {
  readonly number: number;
  readonly checked: boolean | undefined;
}

function markOf(type: string, { number, checked }: ListState): string {
  if (type === "bulleted_list_item") return "- ";
  if (type === "numbered_list_item") return `${number}. `;
  if (type === "to_do") return checked ? "[x] " : "[ ] ";
  return type === "quote" ? "> " : "";
}

function textItem(content: string): RichTextItem {
  const text = { content, link: null };
  return { type: "text", text, annotations: PLAIN, plain_text: content, href: null };
}

function appendText(items: RichTextItem[], content: string): void {
  append(items, textItem(content));
}

/** Appends an item, or adds its text to the last one if both are plain and it fits. */
function append(items: RichTextItem[], item: RichTextItem): void {
  const last = items.at(-1);
  if (last === undefined || !isPlain(last) || !isPlain(item)) return void items.push(item);
  const content = last.plain_text + item.plain_text;
  if (content.length > LIMITS.textContent) return void items.push(item);
  items[items.length - 1] = textItem(content);
}

function isPlain({ type, annotations, href }: RichTextItem): boolean {
  const { color, ...styles } = annotations;
  return type === "text" && href === null && color === "default" &&
    !Object.values(styles).some(Boolean);
}
