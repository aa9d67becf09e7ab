/**
 * Corrects misspelt words of a query by the words that a workspace has.
 *
 * @module
 */
import { isBackwards } from "../text/compounds.ts";
import { isUnspaced } from "../text/segment.ts";
import type { Phrase } from "../text/query.ts";

/** Words, and how many parts have each. */
export type WordCounts = ReadonlyMap<string, number>;

/** Shorter words are similar to too many others. */
const SHORTEST = 4;
/** From this length on, two letters may be wrong. */
const LONG = 8;
/** Unknown words of a query that are compared with all known ones. */
const MOST_WORDS = 4;
/** Other digits make another number or code. */
const LETTERS = /^[\p{L}\p{M}]+$/u;

/** Returns whether a phrase is a word that may be misspelt. */
export function isCorrectable({ terms, isQuoted }: Phrase): boolean {
  const [word = "", ...others] = terms;
  return isQuoted !== true && others.length === 0 && word.length >= SHORTEST &&
    !isUnspaced(word) && LETTERS.test(word);
}

/** Counts the words of a spaced text. */
export function countWords(counts: Map<string, number>, text: string): void {
  for (const word of new Set(text.split(" "))) {
    if (word.length < SHORTEST - 1 || isBackwards(word)) continue;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
}

export interface Corrections {
  /** Words that pages have. */
  readonly words: WordCounts;
  /** Returns whether a page has a phrase of the query, in any form. */
  isKnown(phrase: Phrase, index: number): boolean;
  /** Returns the words of a compound; undefined if it is none, or if no page has them. */
  divide?(word: string): readonly string[] | undefined;
}

/**
 * Returns the phrases with the most similar known word in place of each unknown one: fewest edits first,
 * then the most common; or else with the words that it is compounded of. Undefined if nothing can be
 * corrected. Quoted phrases stay.
 */
export function corrected(
  phrases: readonly Phrase[],
  { words, isKnown, divide = () => undefined }: Corrections,
): Phrase[] | undefined {
  let changes = 0;
  let tried = 0;
  const result = phrases.flatMap((phrase, index) => {
    const [term = ""] = phrase.terms;
    if (!isCorrectable(phrase) || isKnown(phrase, index) || ++tried > MOST_WORDS) return [phrase];
    const similar = mostSimilar(term, words);
    const instead = similar === undefined ? divide(term) : [similar];
    if (instead === undefined) return [phrase];
    changes++;
    const { isPrefix } = phrase;
    return instead.map((one, at) => toWord(one, isPrefix && at === instead.length - 1));
  });
  return changes === 0 ? undefined : result;
}

function toWord(term: string, isPrefix: boolean): Phrase {
  return { terms: [term], isPrefix };
}

function mostSimilar(word: string, words: WordCounts): string | undefined {
  const most = word.length >= LONG ? 2 : 1;
  let best: { readonly word: string; readonly edits: number; readonly count: number } | undefined;
  for (const [other, count] of words) {
    if (Math.abs(other.length - word.length) > (best?.edits ?? most)) continue;
    const edits = editsBetween(word, other, best?.edits ?? most);
    if (edits === undefined || edits === 0) continue;
    if (best === undefined || edits < best.edits || edits === best.edits && count > best.count) {
      best = { word: other, edits, count };
    }
  }
  return best?.word;
}

/**
 * Returns the number of letters that are inserted, left out, replaced or swapped with their neighbour
 * (optimal string alignment); undefined if more than `most`.
 */
export function editsBetween(one: string, other: string, most: number): number | undefined {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] &&
        one[i - 2] === other[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    if (Math.min(...next) > most) return undefined;
    before = row;
    row = next;
  }
  const edits = row[other.length] ?? Infinity;
  return edits > most ? undefined : edits;
}
