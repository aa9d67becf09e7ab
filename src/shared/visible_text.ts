/**
 * Text from outside as people read it: a terminal or the log of a CI system obeys some characters, and
 * shows others not at all or in another place.
 *
 * @module
 */

/** All but characters that are seen; the joiners of letters and emoji (U+200C, U+200D) are fine. */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;
const EACH_INVISIBLE = new RegExp(INVISIBLE, "gu");

/** Returns whether a text is one line of visible characters. */
export function isVisible(text: string): boolean {
  return !INVISIBLE.test(text);
}

/** Returns a text as one line, with other characters escaped as in JSON: `\u001b`. */
export function toVisible(text: string): string {
  return isVisible(text) ? text : text.replace(EACH_INVISIBLE, escape);
}

/** Like {@linkcode toVisible}, and keeps what the one group of `kept` matches, such as line breaks. */
export function toVisibleLines(text: string, kept: RegExp): string {
  // The text between two matches and the group of each match, in turns.
  const parts = text.split(kept);
  return parts.map((part, index) => index % 2 === 0 ? toVisible(part) : part).join("");
}

function escape(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
