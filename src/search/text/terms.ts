/**
 * Splits texts into searchable terms: words and emoji.
 *
 * @module
 */
import { foldWord } from "./fold.ts";
import { isUnspaced, segmentRuns, type TextRange, type Word } from "./segment.ts";

/** A term and its range in the text. */
export interface Term extends TextRange {
  /**
   * Folded letters, digits and marks, or one emoji; no spaces and no characters of a query language.
   * Longer words are truncated to 64 UTF-16 code units.
   */
  readonly term: string;
}

const TERM_LENGTH = 64;
/**
 * UTF-16 code units of a word that are folded: enough for a term, with marks and invisible characters. A
 * few letters fold to several words, so that a long run of them would have very many.
 */
const WORD_LENGTH = 256;

const IS_ASCII = /^[\0-\x7F]*$/;
const ASCII_WORD = /[0-9A-Za-z]+/g;

const PICTURE = String.raw`\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}\u{E0020}-\u{E007F}]*`;
const EMOJI = String.raw`\p{Regional_Indicator}{2}|${PICTURE}(?:\u200D${PICTURE})*`;
// Includes invisible characters, which do not separate words.
const WORD = String.raw`[\p{L}\p{N}\p{M}\u00AD\u200B-\u200D\u2060]+`;
const WORD_OR_EMOJI = new RegExp(`(${EMOJI})|${WORD}`, "gu");
const PARTS = /[\p{L}\p{N}\p{M}]+/gu;

/** Modifiers of an emoji: variation selectors and skin tones. */
const LOOK = /[\uFE0F\p{Emoji_Modifier}]/gu;

/** Returns the terms of a text in order, folded by `fold`. */
export function termsOf(text: string, fold = foldWord): Term[] {
  if (IS_ASCII.test(text)) return asciiTerms(text);
  const found = [...text.matchAll(WORD_OR_EMOJI)].map(({ 0: word, 1: emoji, index: start }) => ({
    word,
    emoji,
    start,
    isRun: emoji === undefined && isUnspaced(word),
  }));
  const runs = found.filter(({ isRun }) => isRun).map(({ word: run, start }) => ({ run, start }));
  const words = segmentRuns(runs).values();
  const terms: Term[] = [];
  for (const { word, emoji, start, isRun } of found) {
    const end = start + word.length;
    if (emoji !== undefined) terms.push({ term: emoji.replace(LOOK, ""), start, end });
    else if (isRun) { for (const one of words.next().value ?? []) addWord(terms, one, fold); }
    else addWord(terms, { word, start, end }, fold);
  }
  return terms;
}

function asciiTerms(text: string): Term[] {
  const terms: Term[] = [];
  for (const { 0: word, index: start } of text.matchAll(ASCII_WORD)) {
    const term = word.slice(0, TERM_LENGTH).toLowerCase();
    terms.push({ term, start, end: start + word.length });
  }
  return terms;
}

function addWord(
  terms: Term[],
  { word, start, end }: Word,
  fold: (word: string) => string,
): void {
  const folded = fold(word.slice(0, WORD_LENGTH));
  // A word that stays as it is has only letters, digits and marks.
  if (folded === word && word.length <= TERM_LENGTH) {
    terms.push({ term: word, start, end });
    return;
  }
  // Some characters fold to several words: `½`, `㏂`.
  for (const part of folded.match(PARTS) ?? []) {
    terms.push({ term: part.slice(0, TERM_LENGTH).toWellFormed(), start, end });
  }
}
