/**
 * The benchmark's searches.
 *
 * @module
 */
import { createWords } from "./words.ts";

export interface Question {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const { word } = createWords(1);
const ranks = (...all: readonly number[]): string => all.map(word).join(" ");
const sort = { timestamp: "last_edited_time", direction: "descending" };

/** Words by frequency; almost every page contains the first. */
export const QUESTIONS: readonly Question[] = [
  { name: "the most common word", body: { query: ranks(1) } },
  { name: "three very common words", body: { query: ranks(1, 2, 3) } },
  { name: "two words of a tenth of the pages", body: { query: ranks(150, 200) } },
  { name: "a common and a rare word", body: { query: ranks(2, 20_000) } },
  { name: "a rare word", body: { query: ranks(30_000) } },
  { name: "a beginning of one letter", body: { query: "t" } },
  { name: "a beginning of two letters", body: { query: "ta" } },
  { name: "a beginning of three letters", body: { query: word(3_000).slice(0, 3) } },
  { name: "a phrase of common words", body: { query: `"${ranks(1, 2)}"` } },
  {
    name: "any of ten words",
    body: { query: ranks(1, 3, 9, 40, 150, 600, 2_000, 9_000), words: "any" },
  },
  { name: "a common word by time", body: { query: ranks(5), sort } },
  { name: "a rarer word by time", body: { query: ranks(400), sort } },
  { name: "everything", body: {} },
];
