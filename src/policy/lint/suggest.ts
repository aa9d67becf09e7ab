/**
 * Suggestions for many misspelt names at once.
 *
 * @module
 */
import { didYouMean } from "../../shared/did_you_mean.ts";

/** Comparing every name of a large file with every other would take minutes. */
const MAX_WORDS = 50;
const MAX_NAMES = 1_000;

/** Creates the function that returns a hint with the most similar name, for the first words only. */
export function createSuggester(names: Iterable<string>): (word: string) => string | undefined {
  const known = [...names];
  let words = 0;
  return (word) => {
    if (words++ >= MAX_WORDS) return undefined;
    const near = known.filter((name) => Math.abs(name.length - word.length) <= word.length / 3 + 2);
    return didYouMean(word, near.slice(0, MAX_NAMES));
  };
}
