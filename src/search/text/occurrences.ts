/**
 * Finds the occurrences of phrases in a text.
 *
 * @module
 */
import { findInside } from "./inside.ts";
import type { Phrase } from "./query.ts";
import type { TextRange } from "./segment.ts";
import { findWords, GAP } from "./spaced.ts";
import { type Term, termsOf } from "./terms.ts";
import { type Variant, variantsOf } from "./variants.ts";

/** An occurrence of a phrase in a text. */
export interface Occurrence extends TextRange {
  readonly phrase: Phrase;
}

/** Returns all occurrences of the phrases in a text, also as variants of its words, by their start. */
export function occurrencesIn(
  phrases: readonly Phrase[],
  text: string,
): Generator<void, Occurrence[], void> {
  return occurrencesOf(phrases, termsOf(text), text);
}

/**
 * Returns the occurrences among the terms of a text and, if the text is given, among its variants: a
 * phrase in each step.
 */
export function* occurrencesOf(
  phrases: readonly Phrase[],
  terms: readonly Term[],
  text = "",
): Generator<void, Occurrence[], void> {
  const placed = placeTerms(terms, variantsOf(text));
  const found: Occurrence[] = [];
  for (const phrase of phrases) {
    for (const way of waysOf(phrase)) {
      for (const range of rangesOf(way, placed)) found.push({ phrase, ...range });
    }
    yield;
  }
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** A spaced text, the terms in it, and where each of them begins there. */
interface PlacedTerms {
  readonly words: string;
  readonly terms: readonly Term[];
  readonly starts: readonly number[];
}

/** No phrase reaches from the terms to a variant, or from one variant to the next. */
function placeTerms(main: readonly Term[], variants: readonly Variant[]): PlacedTerms {
  const terms: Term[] = [];
  const starts: number[] = [];
  let words = " ";
  const add = (term: Term) => {
    terms.push(term);
    starts.push(words.length);
    words += `${term.term} `;
  };
  main.forEach(add);
  for (const { terms, start, end } of variants) {
    words += `${GAP} `;
    for (const term of terms) add({ term, start, end });
  }
  return { words, terms, starts };
}

function waysOf(phrase: Phrase): Phrase[] {
  return [phrase, ...(phrase.or ?? []).flatMap(waysOf)];
}

function rangesOf(phrase: Phrase, placed: PlacedTerms): TextRange[] {
  if (phrase.isInside === true) return rangesInside(phrase, placed);
  const { words, terms, starts } = placed;
  const ranges: TextRange[] = [];
  for (const place of findWords(words, phrase)) {
    const first = lastIndexUpTo(starts, place);
    const [from, to] = [terms[first], terms[first + phrase.terms.length - 1]];
    if (from !== undefined && to !== undefined) ranges.push({ start: from.start, end: to.end });
  }
  return ranges;
}

function rangesInside(phrase: Phrase, { words, terms, starts }: PlacedTerms): TextRange[] {
  return [...findInside(words, phrase)].flatMap(({ start, end }) => {
    const first = lastIndexUpTo(starts, start);
    const last = lastIndexUpTo(starts, end - 1);
    const [from, to] = [terms[first], terms[last]];
    if (from === undefined || to === undefined) return [];
    return [{
      start: placeIn(from, start - (starts[first] ?? 0)) ?? from.start,
      end: placeIn(to, end - (starts[last] ?? 0)) ?? to.end,
    }];
  });
}

/** Returns the index of the last of these ascending numbers that is not higher; -1 if there is none. */
function lastIndexUpTo(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? Infinity) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns where a character of a term is in the text; undefined if its word is written otherwise. */
function placeIn({ term, start, end }: Term, at: number): number | undefined {
  return term.length === end - start ? start + at : undefined;
}
