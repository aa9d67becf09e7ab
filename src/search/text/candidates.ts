/**
 * The parts of a phrase that an index can find, and those that only the words of a page can: an
 * index finds by terms, and some phrases are more than their terms.
 *
 * @module
 */
import { pairsOf, runsOf } from "./overlaps.ts";
import type { Part } from "./parts.ts";
import type { Phrase } from "./query.ts";
import { isUnspaced } from "./segment.ts";
import { occursIn } from "./spaced.ts";

/** A term of the index, or the beginning of one. */
export interface IndexTerm {
  readonly term: string;
  readonly isPrefix: boolean;
}

/**
 * Terms of a phrase that an index looks for side by side. It compares all places of each of them, so
 * that more would take long in texts with few words: the texts tell the rest.
 */
export const MOST_TERMS = 8;

/** Returns terms that every text has in which this phrase is inside words, each once. */
export function insideTerms({ terms, isPrefix }: Phrase): IndexTerm[] {
  const spacedTerms = terms.flatMap((term, index) =>
    isUnspaced(term) ? [] : [{ term, isPrefix: isPrefix && index === terms.length - 1 }]
  );
  const pairs = runsOf(terms).flatMap((run) => {
    const ofRun = pairsOf(run);
    // A word such as `USBสาย` has pairs of other scripts, too, which are in no index.
    return ofRun.length === 0
      ? [{ term: run, isPrefix: true }]
      : ofRun.filter(isUnspaced).map((term) => ({ term, isPrefix: false }));
  });
  const all = [...spacedTerms, ...pairs].map((one) =>
    [`${one.term} ${one.isPrefix}`, one] as const
  );
  return [...new Map(all).values()].slice(0, MOST_TERMS);
}

/**
 * Returns whether the index finds more than the phrase: pairs of characters are terms as words are, and
 * of a long phrase it looks for the beginning.
 */
export function isVague(phrase: Phrase): boolean {
  return phrase.isInside === true || phrase.terms.length > MOST_TERMS ||
    phrase.terms.some(isUnspaced) || phrase.or?.some(isVague) === true;
}

/** The phrase with all terms that begin like its last: an index does not tell which it accepts. */
export function acceptingAll({ accepts: _, or, ...phrase }: Phrase): Phrase {
  return or === undefined ? phrase : { ...phrase, or: or.map(acceptingAll) };
}

interface FitOptions {
  readonly match: "all" | "any";
  readonly inTitle?: boolean;
}

/** Returns the parts with all or any of the phrases, in steps. */
export function* fittingParts<P extends Part>(
  parts: readonly P[],
  phrases: readonly Phrase[],
  options: FitOptions,
): Generator<void, P[], void> {
  const fitting: P[] = [];
  for (const part of parts) {
    if (yield* fits([part], phrases, options)) fitting.push(part);
    yield;
  }
  return fitting;
}

/** Returns the parts of pages that have all phrases, each in any part, in steps. */
export function* partsOfFittingPages<P extends Part & { readonly id: string }>(
  parts: readonly P[],
  phrases: readonly Phrase[],
): Generator<void, P[], void> {
  const fitting: P[] = [];
  for (const page of Map.groupBy(parts, ({ id }) => id).values()) {
    if (yield* fits(page, phrases, { match: "all" })) fitting.push(...page);
    yield;
  }
  return fitting;
}

/** Returns whether the parts of a page have all or any of the phrases. */
function* fits(
  parts: readonly Part[],
  phrases: readonly Phrase[],
  { match, inTitle = false }: FitOptions,
): Generator<void, boolean, void> {
  for (const phrase of phrases) {
    let occurs = false;
    for (const part of parts) occurs ||= yield* hasPhrase(part, phrase, inTitle);
    if (occurs !== (match === "all")) return occurs;
  }
  return match === "all";
}

/** UTF-16 code units of a part behind which a search may pause after each phrase. */
const LONG = 4_000;

/** Returns whether a part has a phrase, in a step of its own if the part is long. */
export function* hasPhrase(
  { title, body }: Part,
  phrase: Phrase,
  inTitle = false,
): Generator<void, boolean, void> {
  if (title.length + body.length > LONG) yield;
  return occursIn(title, phrase) || !inTitle && occursIn(body, phrase);
}
