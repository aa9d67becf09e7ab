/**
 * Parses queries. Quotes make phrases; no other character has a special meaning.
 *
 * @module
 */
import { termsOf } from "./terms.ts";

/** Consecutive terms. */
export interface Phrase {
  /** At least one. */
  readonly terms: readonly string[];
  /** Whether the last term also matches longer terms that begin with it. */
  readonly isPrefix: boolean;
  /** Whether the question has it in quotes, so that its words belong together. */
  readonly isQuoted?: true;
  /** How often the question has it; default 1. */
  readonly times?: number;
  /** Returns whether a longer term matches; default: all do. */
  accepts?(term: string): boolean;
}

/** A quoted phrase, a word up to the next space or quote, or an unclosed quote. */
const PART = /"([^"]*)"|[^\s"]+|"/g;
const QUOTES = /[“”„‟«»＂]/g;
const HANGUL = /\p{Script=Hangul}/u;

/**
 * Returns the phrases of a query. A word is a phrase, too: of one term or, as `e-mail` or `東京都`, of
 * several. The last word matches as a prefix, and so does every Korean word, because particles are
 * appended to it. Parts without a letter, digit or emoji are ignored.
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
    ...(isQuoted && { isQuoted }),
  }));
}

/** Returns whether the last term is a word that can take particles. */
export function takesParticles(terms: readonly string[]): boolean {
  return HANGUL.test(terms.at(-1) ?? "");
}
