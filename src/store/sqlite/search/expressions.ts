/**
 * What is asked of the index of words, in FTS5's language. Terms are letters, digits and emoji alone,
 * and each stands in quotes, so that nothing of a query is read as part of that language.
 *
 * @module
 */
import { insideTerms } from "../../../search/text/candidates.ts";
import type { Phrase } from "../../../search/text/query.ts";

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
    ? all(insideTerms(phrase).map((one) => quoted(code, [one.term], one.isPrefix)))
    : quoted(code, phrase.terms, phrase.isPrefix);
  const others = phrase.or?.map((other) => phrased(code, other)) ?? [];
  if (others.length > 0) return any([phrase.isInside === true ? `(${words})` : words, ...others]);
  return phrase.isInside === true ? `(${words})` : words;
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
