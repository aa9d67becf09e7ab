/**
 * A text as its searchable terms, with a space before, between and after them; behind a sign follow the
 * variants of its words.
 *
 * @module
 */
import { findInside } from "./inside.ts";
import type { Phrase } from "./query.ts";
import { termsOf } from "./terms.ts";
import { variantsOf } from "./variants.ts";

/** Separates the words of a text, and each of their variants, so that no phrase reaches across. */
const GAP = "§";

/** Returns a text's terms, each between two spaces; empty if it has none. */
export function spaced(text: string): string {
  const terms = termsOf(text);
  if (terms.length === 0) return "";
  const words = ` ${terms.map(({ term }) => term).join(" ")} `;
  const ways = new Set(variantsOf(text).map((variant) => variant.terms.join(" ")));
  return ways.size === 0 ? words : `${words}${GAP} ${[...ways].join(` ${GAP} `)} `;
}

/** Returns the terms of a spaced text without its variants. */
export function mainTerms(words: string): string[] {
  const [main = ""] = words.split(GAP, 1);
  return main.trim().split(" ");
}

/** Returns the number of terms of a spaced text, without variants. */
export function lengthOf(words: string): number {
  const gap = words.indexOf(GAP);
  const end = gap < 0 ? words.length : gap;
  let length = -1;
  for (let at = words.indexOf(" "); at >= 0 && at < end; at = words.indexOf(" ", at + 1)) length++;
  return Math.max(0, length);
}

/** Counts the occurrences of a phrase in a spaced text, or in several that something separates. */
export function countOf(words: string, phrase: Phrase): number {
  const count = phrase.isInside === true ? countInside(words, phrase) : countWords(words, phrase);
  if (phrase.or === undefined) return count;
  // Another spelling stands beside the word as a variant; with `accepts` it is another word.
  return phrase.or.reduce((sum, other) => {
    const others = countOf(words, other);
    return other.accepts === undefined ? Math.max(sum, others) : sum + others;
  }, count);
}

function countInside(words: string, phrase: Phrase): number {
  let count = 0;
  for (const _ of findInside(words, phrase)) count++;
  return count;
}

function countWords(words: string, { terms, isPrefix, accepts }: Phrase): number {
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
