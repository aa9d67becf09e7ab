/**
 * The stored form of texts for search: terms with a space before, between and after them.
 *
 * @module
 */
import type { Phrase } from "./query.ts";
import { termsOf } from "./terms.ts";

/** Returns a text's terms, each between two spaces; empty if it has none. */
export function spaced(text: string): string {
  const terms = termsOf(text);
  return terms.length === 0 ? "" : ` ${terms.map(({ term }) => term).join(" ")} `;
}

/** Returns the number of terms of a spaced text. */
export function lengthOf(words: string): number {
  let length = -1;
  for (let at = words.indexOf(" "); at >= 0; at = words.indexOf(" ", at + 1)) length++;
  return Math.max(0, length);
}

/** Counts the occurrences of a phrase in a spaced text, or in several that something separates. */
export function countOf(words: string, { terms, isPrefix, accepts }: Phrase): number {
  // Searches without the leading space, at which the search would stop everywhere.
  const wanted = terms.join(" ") + (isPrefix ? "" : " ");
  let count = 0;
  for (let at = words.indexOf(wanted); at >= 0; at = words.indexOf(wanted, at + 1)) {
    if (words[at - 1] !== " ") continue;
    if (accepts === undefined || accepts(lastTerm(words, at + wanted.length))) count++;
  }
  return count;
}

/** Returns the whole term that contains this prefix. */
function lastTerm(words: string, end: number): string {
  return words.slice(words.lastIndexOf(" ", end - 1) + 1, words.indexOf(" ", end));
}
