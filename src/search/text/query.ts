/**
 * What a query asks for. Quotes make phrases; every other sign is text like any.
 *
 * @module
 */
import { termsOf } from "./terms.ts";

/** Terms that must stand one after the other. */
export interface Phrase {
  /** At least one. */
  readonly terms: readonly string[];
  /** Whether the last one may be the beginning of a longer term. */
  readonly isPrefix: boolean;
  /** Which of the terms that begin so are meant; all where absent. */
  accepts?(term: string): boolean;
}

/** A phrase in quotes, a word up to the next space or quote, or a quote that none closes. */
const PART = /"([^"]*)"|[^\s"]+|"/g;
const QUOTES = /[“”„‟«»＂]/g;
const HANGUL = /\p{Script=Hangul}/u;

/**
 * The phrases of a query, each of which must occur; a word is a phrase too, of one term or, like
 * `e-mail` or `東京都`, of several. The last word may be a beginning, and so may every Korean word,
 * because particles are written onto it. What has no letter, digit or emoji asks for nothing.
 */
export function readPhrases(query: string): Phrase[] {
  const parts = [...query.replace(QUOTES, '"').matchAll(PART)];
  const phrases = parts.map(({ 0: word, 1: quoted }) => {
    const terms = termsOf(quoted ?? word).map(({ term }) => term);
    return { terms, isQuoted: quoted !== undefined };
  }).filter(({ terms }) => terms.length > 0);
  const last = phrases.at(-1);
  return phrases.map(({ terms, isQuoted }, index) => ({
    terms,
    isPrefix: !isQuoted && (phrases[index] === last || takesParticles(terms)),
  }));
}

/** Whether these end in a word onto which particles may be written. */
export function takesParticles(terms: readonly string[]): boolean {
  return HANGUL.test(terms.at(-1) ?? "");
}
