/**
 * What a text is made of, as the model of meaning sees it.
 *
 * @module
 */
import { termsOf } from "../text/terms.ts";
import { languageOf, stem } from "./languages.ts";

/** How often each term is in a text. */
export type TermCounts = ReadonlyMap<string, number>;

/** A text to embed; a question has no title. */
export interface TitledText {
  readonly title: string;
  readonly text: string;
}

/** A text's words, folded, and the language that they are in, if they show one. */
export interface ReadText {
  readonly title: readonly string[];
  readonly text: readonly string[];
  readonly language: string | undefined;
}

/** Times that a word of the title counts: it says what every passage of the page is about. */
const TITLE_WEIGHT = 2;

export function read({ title, text }: TitledText): ReadText {
  const words = { title: wordsOf(title), text: wordsOf(text) };
  return { ...words, language: languageOf([...words.title, ...words.text]) };
}

function wordsOf(text: string): string[] {
  return termsOf(text).map(({ term }) => term);
}

/** The terms of a text; one that shows no language is taken to be in `language`. */
export function termCounts(reading: ReadText, language: string | undefined): TermCounts {
  const counts = new Map<string, number>();
  const spoken = reading.language ?? language;
  for (const word of reading.text) count(counts, stem(word, spoken), 1);
  for (const word of reading.title) count(counts, stem(word, spoken), TITLE_WEIGHT);
  return counts;
}

function count(counts: Map<string, number>, term: string, times: number): void {
  counts.set(term, (counts.get(term) ?? 0) + times);
}
