/**
 * Queries of the word index, in FTS5's language. Terms are letters, digits and emoji alone,
 * and each stands in quotes, so that nothing of a query is read as part of that language.
 *
 * @module
 */
import { type IndexTerm, insideTerms } from "../../../search/text/candidates.ts";
import type { Phrase } from "../../../search/text/query.ts";
import { isUnspaced } from "../../../search/text/segment.ts";
import { CODE_LENGTH } from "./codes.ts";

/** Between the texts of one part, so that no phrase reaches from one into the next. */
const GAP = "§";

/** Spaced words as the index stores them, each with the code of its workspace as a prefix. */
export function coded(code: string, words: string): string {
  return words.trimEnd().replaceAll(" ", ` ${code}`);
}

/** Prefix of words in titles where titles are indexed by themselves, after the workspace's code. */
const TITLE = "¶";

/** The prefix of words in titles of a workspace. */
export function titleCode(code: string): string {
  return code + TITLE;
}

/** The first character of the codes of overlaps, and how many characters there are. */
const FIRST = 0x4E00;
const CHARACTERS = 8192;

/**
 * The prefix of overlaps. With it, a pair of characters is shorter than the shortest beginning that
 * the index has a list of, so that it is in none of these lists: nobody asks for the beginning of a
 * pair.
 */
function overlapCode(code: string): string {
  const workspace = parseInt(code.slice(0, CODE_LENGTH), 36);
  const short = [Math.floor(workspace / CHARACTERS), workspace % CHARACTERS];
  return String.fromCharCode(...short.map((part) => FIRST + part)) + code.slice(CODE_LENGTH);
}

/** Overlaps as the index stores them. */
export function codedOverlaps(code: string, overlaps: readonly string[]): string {
  return overlaps.map((overlap) => ` ${overlapCode(code)}${overlap}`).join("");
}

/** Several spaced texts as the index takes them. */
export function codedTexts(code: string, texts: readonly string[]): string {
  return texts.map((words) => coded(code, words)).join(` ${GAP}`);
}

/** The expression that finds a mark. */
export function marked(code: string, mark: string): string {
  return `"${code}${mark}"`;
}

/** The expression that finds a phrase. */
export function phrased(code: string, phrase: Phrase): string {
  const words = phrase.isInside === true
    ? all(insideTerms(phrase).map((one) => inside(code, one)))
    : quoted(code, phrase.terms, phrase.isPrefix);
  const others = phrase.or?.map((other) => phrased(code, other)) ?? [];
  if (others.length > 0) return any([phrase.isInside === true ? `(${words})` : words, ...others]);
  return phrase.isInside === true ? `(${words})` : words;
}

/**
 * A pair or a character of a script without spaces is a word or the beginning of one, or an
 * overlap.
 */
function inside(code: string, { term, isPrefix }: IndexTerm): string {
  const word = quoted(code, [term], isPrefix);
  return isUnspaced(term) ? any([word, quoted(overlapCode(code), [term], false)]) : word;
}

function quoted(code: string, terms: readonly string[], isPrefix: boolean): string {
  const words = `"${terms.map((term) => code + term).join(" ")}"`;
  return isPrefix ? `${words} *` : words;
}

/** All of these. */
export function all(expressions: readonly string[]): string {
  return expressions.join(" AND ");
}

/** Any of these. */
export function any(expressions: readonly string[]): string {
  return `(${expressions.join(" OR ")})`;
}
