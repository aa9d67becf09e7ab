/**
 * Parses queries. Quotes make phrases, and a hyphen before a word or a phrase excludes it; no other
 * character has a special meaning.
 *
 * @module
 */
import { withoutElision } from "./elisions.ts";
import { EARLIER_FOLDS } from "./fold.ts";
import { spaced } from "./spaced.ts";
import { termsOf } from "./terms.ts";
import { variantsOf } from "./variants.ts";

/** Consecutive terms. */
export interface Phrase {
  /** At least one. */
  readonly terms: readonly string[];
  /** True if the last term also matches longer terms that begin with it. */
  readonly isPrefix: boolean;
  /** True if the question has it in quotes, so that its words belong together. */
  readonly isQuoted?: true;
  /** How often the question has it; default 1. */
  readonly times?: number;
  /** True if terms of scripts without spaces may begin and end within words of a text. */
  readonly isInside?: true;
  /** Other ways to write it, of which any matches as well. */
  readonly or?: readonly Phrase[];
  /** Returns whether a longer term matches; default: all do. */
  accepts?(term: string): boolean;
}

/**
 * A quoted phrase, a word up to the next space or quote, or an unclosed quote; a hyphen excludes
 * it.
 */
const PART = /(?<!\S)(-(?=["\p{L}\p{N}]))?(?:"([^"]*)"|[^\s"]+|")|"([^"]*)"|[^\s"]+|"/gu;
const QUOTES = /[“”„‟«»＂]/g;
/** Spaces within a number, which separate no words. */
const THIN_SPACES = /(?<=\d)[\u00A0\u2009\u202F](?=\d{3})/g;
const HANGUL = /\p{Script=Hangul}/u;

/** A query in parts: the words to find, and those that pages must not have. */
export interface ReadQuery {
  readonly phrases: readonly Phrase[];
  /** Words and phrases with a hyphen before them, such as `-draft`. */
  readonly excluded: readonly Phrase[];
}

/**
 * Returns the phrases of a query. A word is a phrase, too: of one term or, as `e-mail` or `東京都`, of
 * several. The last word matches as a prefix, and so does every Korean word, because particles are
 * appended to it. Parts without a letter, digit or emoji are ignored. If some pages have the words
 * of an earlier analysis, phrases match those, too.
 */
export function readQuery(query: string, isOutdated = false): ReadQuery {
  const parts = [...query.replace(QUOTES, '"').replace(THIN_SPACES, "'").matchAll(PART)]
    .map((part) => readPart(part, isOutdated))
    .filter(({ terms }) => terms.length > 0);
  const wanted = parts.filter(({ isExcluded }) => !isExcluded);
  const last = parts.at(-1);
  return {
    phrases: once(wanted.map((part) => toPhrase(part, part === last))),
    excluded: once(
      parts.filter(({ isExcluded }) => isExcluded).map((part) => toPhrase(part, false)),
    ),
  };
}

/** Returns each phrase once, with the number of times: each is looked for in every text. */
function once(phrases: readonly Phrase[]): Phrase[] {
  // Sound because the phrases of a question have no `accepts`, which JSON leaves out.
  const alike = Map.groupBy(phrases, (phrase) => JSON.stringify(phrase)).values();
  return [...alike].flatMap(([phrase, ...others]) =>
    phrase === undefined ? [] : withTimes(phrase, 1 + others.length)
  );
}

/** Returns the phrase as one that the question has so many times. */
export function withTimes({ times: _, ...phrase }: Phrase, times: number): Phrase {
  return times === 1 ? phrase : { ...phrase, times };
}

/** Returns what a query asks for. */
export function readPhrases(query: string, isOutdated = false): readonly Phrase[] {
  return readQuery(query, isOutdated).phrases;
}

/** Returns the title, as spaced words, that a query names; empty if it also excludes words. */
export function titleAskedFor(query: string): string {
  const { phrases, excluded } = readQuery(query);
  if (phrases.length === 0 || excluded.length > 0) return "";
  return spaced(query.replace(QUOTES, '"'));
}

/** Writes phrases as a query. */
export function toQuery(phrases: readonly Phrase[]): string {
  return phrases.flatMap(({ terms, isQuoted, times = 1 }) => {
    const words = isQuoted === true ? `"${terms.join(" ")}"` : terms.join(" ");
    return Array<string>(times).fill(words);
  }).join(" ");
}

/** Returns the terms of each earlier analysis, if they are others. */
function earlierTerms(text: string, terms: readonly string[]): string[][] {
  const ways = EARLIER_FOLDS.map((fold) => termsOf(text, fold).map(({ term }) => term).join(" "));
  return [...new Set(ways)].filter((way) => way !== "" && way !== terms.join(" "))
    .map((way) => way.split(" "));
}

interface QueryPart {
  readonly terms: readonly string[];
  /** Other ways to write all of it. */
  readonly others: readonly (readonly string[])[];
  /** True if it is a name such as `C++`, which is no beginning of another. */
  readonly isName: boolean;
  readonly isQuoted: boolean;
  readonly isExcluded: boolean;
}

function readPart(
  { 0: written, 1: hyphen, 2: quoted, 3: inner }: RegExpMatchArray,
  isOutdated: boolean,
): QueryPart {
  const quote = quoted ?? inner;
  const text = quote ?? withoutElision(hyphen === undefined ? written : written.slice(1));
  const found = termsOf(text);
  const [first, last] = [found.at(0), found.at(-1)];
  const ways = first === undefined || last === undefined ? [] : variantsOf(text, true)
    .filter(({ start, end }) => start <= first.start && last.end <= end);
  const name = ways.find(({ isName }) => isName);
  const terms = name?.terms ?? found.map(({ term }) => term);
  return {
    terms,
    others: [
      ...(name === undefined ? ways.map(({ terms }) => terms) : []),
      ...(isOutdated ? earlierTerms(text, terms) : []),
    ],
    isName: name !== undefined,
    isQuoted: quote !== undefined,
    isExcluded: hyphen !== undefined,
  };
}

function toPhrase({ terms, others, isName, isQuoted }: QueryPart, isLast: boolean): Phrase {
  const isPrefix = !isQuoted && !isName && (isLast || takesParticles(terms));
  return {
    terms,
    isPrefix,
    ...(isQuoted && { isQuoted }),
    ...(others.length > 0 && { or: others.map((terms) => ({ terms, isPrefix })) }),
  };
}

/** Returns whether the last term is a word that can take particles. */
export function takesParticles(terms: readonly string[]): boolean {
  return HANGUL.test(terms.at(-1) ?? "");
}
