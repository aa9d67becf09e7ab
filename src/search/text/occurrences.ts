/**
 * Where phrases occur.
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

/** All occurrences of the phrases among the terms of a text, in the order of their beginnings. */
export function occurrencesOf(
  phrases: readonly Phrase[],
  terms: readonly Term[],
): Occurrence[] {
  return terms.flatMap((first, at) =>
    phrases.flatMap((phrase) => {
      const last = terms[at + phrase.terms.length - 1];
      if (last === undefined || !standsAt(phrase, terms, at)) return [];
      return [{ phrase, start: first.start, end: last.end }];
    })
  );
}

function standsAt(
  { terms: wanted, isPrefix, accepts }: Phrase,
  terms: readonly Term[],
  at: number,
): boolean {
  return wanted.every((term, index) => {
    const found = terms[at + index]?.term ?? "";
    if (!isPrefix || index < wanted.length - 1) return found === term;
    return found.startsWith(term) && accepts?.(found) !== false;
  });
}
