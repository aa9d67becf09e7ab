/**
 * The benchmark's searches.
 *
 * @module
 */
import { createWords, ENGLISH, type Language } from "./words.ts";

export interface Question {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const sort = { timestamp: "last_edited_time", direction: "descending" };

/** Returns searches for words by frequency; almost every page contains the first. */
export function questionsIn(language: Language): readonly Question[] {
  const { word } = createWords(1, language);
  const ranks = (...all: readonly number[]): string => all.map(word).join(" ");
  const together = (...all: readonly number[]): string => all.map(word).join(language.separator);
  const [one, two] = language === ENGLISH ? ["t", "ta"] : [word(200).slice(0, 1), word(300)];
  return [
    { name: "the most common word", body: { query: ranks(1) } },
    { name: "three very common words", body: { query: ranks(1, 2, 3) } },
    { name: "two words of a tenth of the pages", body: { query: ranks(150, 200) } },
    { name: "the same, as they are written", body: { query: together(150, 200) } },
    { name: "a common and a rare word", body: { query: ranks(2, 20_000) } },
    { name: "a rare word", body: { query: ranks(30_000) } },
    { name: "a beginning of one letter", body: { query: one } },
    { name: "a beginning of two letters", body: { query: two } },
    { name: "a beginning of three letters", body: { query: together(3_000, 60).slice(0, 3) } },
    { name: "a phrase of common words", body: { query: `"${together(1, 2)}"` } },
    {
      name: "any of ten words",
      body: { query: together(1, 3, 9, 40, 150, 600, 2_000, 9_000), words: "any" },
    },
    { name: "a common word by time", body: { query: ranks(5), sort } },
    { name: "a rarer word by time", body: { query: ranks(400), sort } },
    { name: "everything", body: {} },
  ];
}
