/**
 * Finds the occurrences of phrases in a text.
 *
 * @module
 */
import { findInside } from "./inside.ts";
import type { Phrase } from "./query.ts";
import type { TextRange } from "./segment.ts";
import { type Term, termsOf } from "./terms.ts";
import { variantsOf } from "./variants.ts";

/** An occurrence of a phrase in a text. */
export interface Occurrence extends TextRange {
  readonly phrase: Phrase;
}

/** Returns all occurrences of the phrases in a text, also as variants of its words, by their start. */
export function occurrencesIn(phrases: readonly Phrase[], text: string): Occurrence[] {
  return occurrencesOf(phrases, termsOf(text), text);
}

/** Returns the occurrences among the terms of a text and, if the text is given, among its variants. */
export function occurrencesOf(
  phrases: readonly Phrase[],
  terms: readonly Term[],
  text = "",
): Occurrence[] {
  const variants = variantsOf(text).map(({ terms, start, end }) =>
    terms.map((term) => ({ term, start, end }))
  );
  const ways = phrases.flatMap((phrase) => waysOf(phrase).map((way) => ({ phrase, way })));
  const found = [terms, ...variants].flatMap((some) =>
    ways.flatMap(({ phrase, way }) => rangesOf(way, some).map((range) => ({ phrase, ...range })))
  );
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}

function waysOf(phrase: Phrase): Phrase[] {
  return [phrase, ...(phrase.or ?? []).flatMap(waysOf)];
}

function rangesOf(phrase: Phrase, terms: readonly Term[]): TextRange[] {
  if (phrase.isInside === true) return rangesInside(phrase, terms);
  const ranges: TextRange[] = [];
  terms.forEach(({ start }, at) => {
    const last = terms[at + phrase.terms.length - 1];
    if (last !== undefined && matchesAt(phrase, terms, at)) ranges.push({ start, end: last.end });
  });
  return ranges;
}

function matchesAt(
  { terms: wanted, isPrefix, accepts }: Phrase,
  terms: readonly Term[],
  at: number,
): boolean {
  return wanted.every((term, index) => {
    const actual = terms[at + index]?.term ?? "";
    if (!isPrefix || index < wanted.length - 1) return actual === term;
    return actual.startsWith(term) && accepts?.(actual) !== false;
  });
}

function rangesInside(phrase: Phrase, terms: readonly Term[]): TextRange[] {
  const starts: number[] = [];
  let words = " ";
  for (const { term } of terms) {
    starts.push(words.length);
    words += `${term} `;
  }
  return [...findInside(words, phrase)].flatMap(({ start, end }) => {
    const first = starts.findLastIndex((begin) => begin <= start);
    const last = starts.findLastIndex((begin) => begin < end);
    const [from, to] = [terms[first], terms[last]];
    if (from === undefined || to === undefined) return [];
    return [{
      start: place(from, start - (starts[first] ?? 0)),
      end: place(to, end - (starts[last] ?? 0)),
    }];
  });
}

/** Returns where a character of a term is in the text; its word's end if the word is written otherwise. */
function place({ term, start, end }: Term, at: number): number {
  if (at === 0) return start;
  return term.length === end - start ? start + at : end;
}
