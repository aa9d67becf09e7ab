/**
 * Where phrases occur.
 *
 * @module
 */
import type { Phrase } from "./query.ts";
import type { Span } from "./segment.ts";
import type { Term } from "./terms.ts";

/** An occurrence of a phrase in a text. */
export interface Occurrence extends Span {
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

function standsAt(phrase: Phrase, terms: readonly Term[], at: number): boolean {
  const last = phrase.terms.length - 1;
  return phrase.terms.every((wanted, index) => {
    const found = terms[at + index]?.term;
    return phrase.isPrefix && index === last ? found?.startsWith(wanted) : found === wanted;
  });
}
