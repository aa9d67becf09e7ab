/**
 * Splits texts into the terms that the model works with.
 *
 * @module
 */
import { foldAsWritten } from "../text/fold.ts";
import { termsOf } from "../text/terms.ts";
import { languageOf, stem } from "./languages.ts";

/** Number of occurrences of each term in a text. */
export type TermCounts = ReadonlyMap<string, number>;

/** A text to embed; a question has no title. */
export interface TitledText {
  readonly title: string;
  readonly text: string;
}

/** The folded words of a text, and their language if it was detected. */
export interface ReadText {
  readonly title: readonly string[];
  readonly text: readonly string[];
  readonly language: string | undefined;
}

/** Weight of a word in the title, which tells what every passage of the page is about. */
const TITLE_WEIGHT = 2;

export function read({ title, text }: TitledText): ReadText {
  const words = { title: wordsOf(title), text: wordsOf(text) };
  return { ...words, language: languageOf([...words.title, ...words.text]) };
}

function wordsOf(text: string): string[] {
  // The terms stay as they are written, so that models learnt before keep their words.
  return termsOf(text, foldAsWritten).map(({ term }) => term);
}

/** Counts the terms of a text; `language` is the fallback if none was detected. */
export function termCounts(reading: ReadText, language: string | undefined): TermCounts {
  const counts = new Map<string, number>();
  const used = reading.language ?? language;
  for (const word of reading.text) count(counts, stem(word, used), 1);
  for (const word of reading.title) count(counts, stem(word, used), TITLE_WEIGHT);
  return counts;
}

function count(counts: Map<string, number>, term: string, times: number): void {
  counts.set(term, (counts.get(term) ?? 0) + times);
}
