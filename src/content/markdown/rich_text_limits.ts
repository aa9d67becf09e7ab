/**
 * Fits texts into the limits of rich text: joins neighbours of the same style and splits long
 * texts.
 *
 * @module
 */
import { LIMITS } from "../values/limits.ts";
import type { RichTextInput, RichTextItemInput } from "../values/rich_text.ts";

/** The same text in as few items as possible. */
export function joinItems(items: readonly RichTextItemInput[]): RichTextItemInput[] {
  const runs: { item: RichTextItemInput; key: string; text: string }[] = [];
  for (const item of items) {
    const last = runs.at(-1);
    const text = "text" in item ? item.text.content : "";
    const key = "text" in item ? JSON.stringify([item.text.link, item.annotations]) : "";
    if (last !== undefined && key !== "" && last.key === key) last.text += text;
    else runs.push({ item, key, text });
  }
  return runs.flatMap(({ item, text }): RichTextItemInput[] =>
    "text" in item ? splitText(item, text) : [item]
  );
}

type TextItem = Extract<RichTextItemInput, { readonly text: unknown }>;

function splitText(item: TextItem, text: string): TextItem[] {
  return pieces(text).map((content) => ({ ...item, text: { ...item.text, content } }));
}

/** Splits a text into pieces that fit into one item, without splitting surrogate pairs. */
function pieces(text: string): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + LIMITS.textContent, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end--;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

/** Converts plain text to rich text. */
export function plainItems(text: string): RichTextItemInput[] {
  return splitText({ text: { content: text } }, text);
}

/** Splits items into groups that fit into one rich text; one empty group if there are no items. */
export function splitItems(items: readonly RichTextItemInput[]): RichTextInput[] {
  const groups: RichTextInput[] = [items.slice(0, LIMITS.array)];
  for (let start = LIMITS.array; start < items.length; start += LIMITS.array) {
    groups.push(items.slice(start, start + LIMITS.array));
  }
  return groups;
}
