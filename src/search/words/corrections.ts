/**
 * Corrects misspelt words of a query by the words that a workspace has.
 *
 * @module
 */
import { isBackwards } from "../text/compounds.ts";
import { isUnspaced } from "../text/segment.ts";
import { type Phrase, withTimes } from "../text/query.ts";

/** Words, and how many parts have each. */
export type WordCounts = ReadonlyMap<string, number>;

/** A computation that may pause between its steps. */
type Steps<T> = Generator<void, T, void>;

/** Words of a step: to compare one takes microseconds. */
export const STEP = 500;
/** Different words that are counted: each misspelt word is compared with all of them. */
const MOST_KNOWN = 50_000;

/** Shorter words are similar to too many others. */
const SHORTEST = 4;
/** From this length on, two letters of an unknown word may be wrong. */
const LONG = 8;
/** Unknown words of a query that are compared with all known ones. */
const MOST_WORDS = 4;
/**
 * Words that pages have are mistakes if they are in so few parts, so long, and similar to a word that is
 * so many times as common.
 */
const RARE = 2;
const SHORTEST_RARE = 6;
const TIMES = 10;
/** Other digits make another number or code. */
const LETTERS = /^[\p{L}\p{M}]+$/u;

/** Returns whether a phrase is a word that may be misspelt. */
function isCorrectable({ terms, isQuoted }: Phrase): boolean {
  const [word = "", ...others] = terms;
  return isQuoted !== true && others.length === 0 && word.length >= SHORTEST &&
    !isUnspaced(word) && LETTERS.test(word);
}

/** Returns whether a phrase that is in so many parts is a word that may be misspelt. */
export function mayBeMisspelt(phrase: Phrase, count: number): boolean {
  const length = phrase.terms[0]?.length ?? 0;
  return isCorrectable(phrase) && (count === 0 || count <= RARE && length >= SHORTEST_RARE);
}

/** Counts the words of a spaced text, in steps. */
export function* countWords(counts: Map<string, number>, text: string): Steps<void> {
  const found = new Set<string>();
  let looked = 0;
  for (let start = 0; start < text.length;) {
    const space = text.indexOf(" ", start);
    const end = space < 0 ? text.length : space;
    if (end - start >= SHORTEST - 1) found.add(text.slice(start, end));
    start = end + 1;
    if (++looked % STEP === 0) yield;
  }
  yield* countEach(counts, found);
}

/** Counts each of the words once; those that are counted already if there are very many. */
function* countEach(counts: Map<string, number>, words: ReadonlySet<string>): Steps<void> {
  let looked = 0;
  for (const word of words) {
    if (++looked % STEP === 0) yield;
    if (isBackwards(word)) continue;
    const count = counts.get(word);
    if (count !== undefined) counts.set(word, count + 1);
    else if (counts.size < MOST_KNOWN) counts.set(word, 1);
  }
}

/**
 * Counts the words of a spaced text that may be one of these with one letter wrong, and few others, in
 * steps: one edit leaves one of three pieces of a word as it is.
 */
export function* countSimilarWords(
  counts: Map<string, number>,
  text: string,
  words: readonly string[],
): Steps<void> {
  const found = new Set<string>();
  let looked = 0;
  for (const piece of words.flatMap(piecesOf)) {
    for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) {
      found.add(text.slice(text.lastIndexOf(" ", at) + 1, text.indexOf(" ", at)));
      if (++looked % STEP === 0) yield;
    }
    yield;
  }
  yield* countEach(counts, found);
}

function piecesOf(word: string): string[] {
  const [first, second] = [Math.floor(word.length / 3), Math.floor(word.length * 2 / 3)];
  return [word.slice(0, first), word.slice(first, second), word.slice(second)];
}

export interface Corrections {
  /** Words that pages have. */
  readonly words: WordCounts;
  /** Returns how many parts have a phrase of the query, in any form. */
  countOf(phrase: Phrase, index: number): Steps<number>;
  /** Returns the words of a compound; undefined if it is none, or if no page has them. */
  divide?(word: string): Steps<readonly string[] | undefined>;
}

/** The index of a phrase, and the words in its place. */
export type Replacement = readonly [index: number, ...words: string[]];

/** Returns the phrases with other words in place of some. */
export function replaced(
  phrases: readonly Phrase[],
  replacements: readonly Replacement[],
): Phrase[] {
  const byIndex = new Map(replacements.map(([index, ...words]) => [index, words]));
  return phrases.flatMap((phrase, index) => {
    const words = byIndex.get(index);
    const isPrefix = (at: number) => phrase.isPrefix && at + 1 === words?.length;
    return words?.map((word, at) =>
      withTimes({ terms: [word], isPrefix: isPrefix(at) }, phrase.times ?? 1)
    ) ?? [phrase];
  });
}

/**
 * Returns the most similar known word in place of each unknown one, and of each rare one if the similar
 * word is much more common: fewest edits first, then the most common; or else the words that an unknown
 * one is compounded of. Quoted phrases stay.
 */
export function* correct(
  phrases: readonly Phrase[],
  corrections: Corrections,
): Steps<Replacement[]> {
  let tried = 0;
  const replacements: Replacement[] = [];
  for (const [index, phrase] of phrases.entries()) {
    const count = yield* corrections.countOf(phrase, index);
    const isTried = mayBeMisspelt(phrase, count) && ++tried <= MOST_WORDS;
    const words = isTried ? yield* correction(phrase, count, corrections) : undefined;
    if (words !== undefined) replacements.push([index, ...words]);
  }
  return replacements;
}

/** Returns what a word that is in so many parts is corrected to; undefined if nothing is similar. */
function* correction(
  { terms: [term = ""] }: Phrase,
  count: number,
  { words, divide }: Corrections,
): Steps<readonly string[] | undefined> {
  const similar = yield* mostSimilar(term, words, {
    edits: count === 0 && term.length >= LONG ? 2 : 1,
    fewest: TIMES * count,
  });
  if (similar !== undefined) return [similar];
  return count === 0 && divide !== undefined ? yield* divide(term) : undefined;
}

interface Similarity {
  /** The most edits between both words. */
  readonly edits: number;
  /** The fewest parts with the other word. */
  readonly fewest: number;
}

function* mostSimilar(
  word: string,
  words: WordCounts,
  { edits: most, fewest }: Similarity,
): Steps<string | undefined> {
  let best: { readonly word: string; readonly edits: number; readonly count: number } | undefined;
  let looked = 0;
  for (const [other, count] of words) {
    if (++looked % STEP === 0) yield;
    if (count < fewest || Math.abs(other.length - word.length) > (best?.edits ?? most)) continue;
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
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const longest = Math.max(one.length, other.length) - start - end;
  // Most words differ in more letters than one edit can change.
  if (most === 1 && longest > LETTERS_OF_EDIT) return undefined;
  return editsOfAll(
    one.slice(start, one.length - end),
    other.slice(start, other.length - end),
    most,
  );
}

/** Two letters are swapped. */
const LETTERS_OF_EDIT = 2;

/** The same, of words without a common beginning or end. */
function editsOfAll(one: string, other: string, most: number): number | undefined {
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
