/**
 * Texts within the bounds of rich text: neighbours of one style joined, long ones cut.
 *
 * @module
 */
import { LIMITS } from "../values/limits.ts";
import type { RichTextInput, RichTextItemInput } from "../values/rich_text.ts";

/** The same text in as few items as the length of one allows. */
export function joined(items: readonly RichTextItemInput[]): RichTextItemInput[] {
  const runs: { item: RichTextItemInput; key: string; text: string }[] = [];
  for (const item of items) {
    const last = runs.at(-1);
    const text = "text" in item ? item.text.content : "";
    const key = "text" in item ? JSON.stringify([item.text.link, item.annotations]) : "";
    if (last !== undefined && key !== "" && last.key === key) last.text += text;
    else runs.push({ item, key, text });
  }
  return runs.flatMap(({ item, text }): RichTextItemInput[] =>
    "text" in item ? cut(item, text) : [item]
  );
}

type TextItem = Extract<RichTextItemInput, { readonly text: unknown }>;

function cut(item: TextItem, text: string): TextItem[] {
  return pieces(text).map((content) => ({ ...item, text: { ...item.text, content } }));
}

/** A text in pieces that one item can hold, no character cut in two. */
function pieces(text: string): string[] {
  const found: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + LIMITS.textContent, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end--;
    found.push(text.slice(start, end));
    start = end;
  }
  return found;
}

/** Plain text as rich text. */
export function plainRuns(text: string): RichTextItemInput[] {
  return cut({ text: { content: text } }, text);
}

/** Items in groups that one rich text can hold; one empty group where there are none. */
export function inGroups(items: readonly RichTextItemInput[]): RichTextInput[] {
  const groups: RichTextInput[] = [items.slice(0, LIMITS.array)];
  for (let start = LIMITS.array; start < items.length; start += LIMITS.array) {
    groups.push(items.slice(start, start + LIMITS.array));
  }
  return groups;
}
