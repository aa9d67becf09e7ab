/**
 * Finds the occurrences of phrases in a text.
 *
 * @module
 */
import type { Phrase } from "./query.ts";
import type { TextRange } from "./segment.ts";
import type { Term } from "./terms.ts";

/** An occurrence of a phrase in a text. */
export interface Occurrence extends TextRange {
  readonly phrase: Phrase;
}

/** Returns all occurrences of the phrases among the terms of a text, ordered by their start. */
export function occurrencesOf(
  phrases: readonly Phrase[],
  terms: readonly Term[],
): Occurrence[] {
  return terms.flatMap((first, at) =>
    phrases.flatMap((phrase) => {
      const last = terms[at + phrase.terms.length - 1];
      if (last === undefined || !matchesAt(phrase, terms, at)) return [];
      return [{ phrase, start: first.start, end: last.end }];
    })
  );
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
