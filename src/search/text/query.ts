/**
 * Parses queries. Quotes make phrases, and a hyphen before a word or a phrase excludes it; no other
 * character has a special meaning.
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

/** A quoted phrase, a word up to the next space or quote, or an unclosed quote; a hyphen excludes it. */
const PART = /(?<!\S)(-(?=["\p{L}\p{N}]))?(?:"([^"]*)"|[^\s"]+|")|"([^"]*)"|[^\s"]+|"/gu;
const QUOTES = /[“”„‟«»＂]/g;
const HANGUL = /\p{Script=Hangul}/u;

/** What a query asks for, and what it must not find. */
export interface ReadQuery {
  readonly phrases: readonly Phrase[];
  /** Words and phrases with a hyphen before them, such as `-draft`. */
  readonly excluded: readonly Phrase[];
}

/**
 * Returns the phrases of a query. A word is a phrase, too: of one term or, as `e-mail` or `東京都`, of
 * several. The last word matches as a prefix, and so does every Korean word, because particles are
 * appended to it. Parts without a letter, digit or emoji are ignored.
 */
export function readQuery(query: string): ReadQuery {
  const parts = [...query.replace(QUOTES, '"').matchAll(PART)].map(readPart)
    .filter(({ terms }) => terms.length > 0);
  const wanted = parts.filter(({ isExcluded }) => !isExcluded);
  const last = parts.at(-1);
  return {
    phrases: wanted.map((part) => toPhrase(part, part === last)),
    excluded: parts.filter(({ isExcluded }) => isExcluded).map((part) => toPhrase(part, false)),
  };
}

/** Returns what a query asks for. */
export function readPhrases(query: string): readonly Phrase[] {
  return readQuery(query).phrases;
}

/** Returns the title, as spaced words, that a query names; empty if it also excludes words. */
export function titleAskedFor(query: string): string {
  const { phrases, excluded } = readQuery(query);
  if (phrases.length === 0 || excluded.length > 0) return "";
  return ` ${phrases.flatMap(({ terms }) => terms).join(" ")} `;
}

/** Writes phrases as a query. */
export function toQuery(phrases: readonly Phrase[]): string {
  return phrases.map(({ terms, isQuoted }) =>
    isQuoted === true ? `"${terms.join(" ")}"` : terms.join(" ")
  ).join(" ");
}

interface QueryPart {
  readonly terms: readonly string[];
  readonly isQuoted: boolean;
  readonly isExcluded: boolean;
}

function readPart({ 0: written, 1: hyphen, 2: quoted, 3: inner }: RegExpMatchArray): QueryPart {
  const text = quoted ?? inner;
  const terms = termsOf(text ?? written).map(({ term }) => term);
  return { terms, isQuoted: text !== undefined, isExcluded: hyphen !== undefined };
}

function toPhrase({ terms, isQuoted }: QueryPart, isLast: boolean): Phrase {
  const isPrefix = !isQuoted && (isLast || takesParticles(terms));
  return { terms, isPrefix, ...(isQuoted && { isQuoted }) };
}

/** Returns whether the last term is a word that can take particles. */
export function takesParticles(terms: readonly string[]): boolean {
  return HANGUL.test(terms.at(-1) ?? "");
}
