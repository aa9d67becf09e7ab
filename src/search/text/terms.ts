/**
 * What of a text is found: its words and emoji as terms.
 *
 * @module
 */
import { foldWord } from "./fold.ts";
import { isUnspaced, segmentRun, type TextRange, type Word } from "./segment.ts";

/** A term, and where in the text it stands. */
export interface Term extends TextRange {
  /**
   * Folded letters, digits and marks, or one emoji: no space, no sign of any query language. At most
   * 64 UTF-16 code units; longer words are as their beginning.
   */
  readonly term: string;
}

const TERM_LENGTH = 64;

const IS_ASCII = /^[\0-\x7F]*$/;
const ASCII_WORD = /[0-9A-Za-z]+/g;

const PICTURE = String.raw`\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}\u{E0020}-\u{E007F}]*`;
const EMOJI = String.raw`\p{Regional_Indicator}{2}|${PICTURE}(?:\u200D${PICTURE})*`;
// Also what nobody sees: it divides no word.
const WORD = String.raw`[\p{L}\p{N}\p{M}\u00AD\u200B-\u200D\u2060]+`;
const WORD_OR_EMOJI = new RegExp(`(${EMOJI})|${WORD}`, "gu");
const PARTS = /[\p{L}\p{N}\p{M}]+/gu;

/** How an emoji is drawn: as a picture, in which tone of skin. */
const LOOK = /[\uFE0F\p{Emoji_Modifier}]/gu;

/** The terms of a text in order. */
export function termsOf(text: string): Term[] {
  if (IS_ASCII.test(text)) return asciiTerms(text);
  const found: Term[] = [];
  for (const { 0: word, 1: emoji, index: start } of text.matchAll(WORD_OR_EMOJI)) {
    const end = start + word.length;
    if (emoji !== undefined) found.push({ term: emoji.replace(LOOK, ""), start, end });
    else if (isUnspaced(word)) { for (const one of segmentRun(word, start)) addWord(found, one); }
    else addWord(found, { word, start, end });
  }
  return found;
}

function asciiTerms(text: string): Term[] {
  const found: Term[] = [];
  for (const { 0: word, index: start } of text.matchAll(ASCII_WORD)) {
    const term = word.slice(0, TERM_LENGTH).toLowerCase();
    found.push({ term, start, end: start + word.length });
  }
  return found;
}

function addWord(found: Term[], { word, start, end }: Word): void {
  const folded = foldWord(word);
  // Some signs are folded to several words: `½`, `㏂`.
  for (const part of folded.match(PARTS) ?? []) {
    found.push({ term: part.slice(0, TERM_LENGTH).toWellFormed(), start, end });
  }
}
