/**
 * Texts as they are kept for search: terms with a space before, between and behind them.
 *
 * @module
 */
import type { Phrase } from "./query.ts";
import { termsOf } from "./terms.ts";

/** The text's terms, each between two spaces; empty where it has none. */
export function spaced(text: string): string {
  const terms = termsOf(text);
  return terms.length === 0 ? "" : ` ${terms.map(({ term }) => term).join(" ")} `;
}

/** How many terms a spaced text has. */
export function lengthOf(words: string): number {
  let length = -1;
  for (let at = words.indexOf(" "); at >= 0; at = words.indexOf(" ", at + 1)) length++;
  return Math.max(0, length);
}

/** How often a phrase occurs in a spaced text, or in several with something else between them. */
export function countOf(words: string, { terms, isPrefix, accepts }: Phrase): number {
  // From its first letter: the space before it is everywhere, and would be stopped at.
  const wanted = terms.join(" ") + (isPrefix ? "" : " ");
  let count = 0;
  for (let at = words.indexOf(wanted); at >= 0; at = words.indexOf(wanted, at + 1)) {
    if (words[at - 1] !== " ") continue;
    if (accepts === undefined || accepts(lastTerm(words, at + wanted.length))) count++;
  }
  return count;
}

/** The whole term in which a beginning ends. */
function lastTerm(words: string, end: number): string {
  return words.slice(words.lastIndexOf(" ", end - 1) + 1, words.indexOf(" ", end));
}
