/**
 * Suggestions for misspelt names.
 *
 * @module
 */
import { levenshteinDistance } from "@std/text/levenshtein-distance";

// The standard library ships no types on npm; these are copied from its source.
const distance: (a: string, b: string) => number = levenshteinDistance;

/** Returns a hint with the most similar name; undefined if none is similar. */
export function didYouMean(word: string, names: Iterable<string>): string | undefined {
  const limit = Math.max(2, Math.floor(word.length / 3));
  const near = [...names].map((name) => ({ name, edits: distance(word, name) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits)[0];
  return near && `Did you mean ${JSON.stringify(near.name)}?`;
}
