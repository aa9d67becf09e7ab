/**
 * Tells where a parsed text has its first escape; the tree contains only the characters themselves.
 *
 * @module
 */
import type { Text } from "mdast";
import type { CompileContext, Extension } from "mdast-util-from-markdown";

const firstEscapes = new WeakMap<Text, number>();

/** Notes the escapes of the texts that are parsed with it. */
export const notedEscapes: Extension = {
  enter: { escapeMarker: noteEscape, characterReferenceMarker: noteEscape },
};

/** The index of the first character that was escaped; `Infinity` without one. */
export function firstEscapeIn(text: Text): number {
  return firstEscapes.get(text) ?? Infinity;
}

function noteEscape(this: CompileContext): void {
  const text = this.stack.at(-1);
  if (text?.type === "text" && !firstEscapes.has(text)) firstEscapes.set(text, text.value.length);
}
