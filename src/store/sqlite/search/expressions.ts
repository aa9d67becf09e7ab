/**
 * Queries of the word index, in FTS5's language. Terms are letters, digits and emoji alone,
 * and each stands in quotes, so that nothing of a query is read as part of that language.
 *
 * @module
 */
import { type IndexTerm, insideTerms, MOST_TERMS } from "../../../search/text/candidates.ts";
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

/**
 * How words with a beginning are found: their lists are read side by side as far as a search needs, or
 * merged by FTS5, which it does before the first match; or the list of their first letters is read,
 * which other words are in, too, so that the texts tell the rest.
 */
export type BeginningPlan = readonly string[] | "merged" | "by first letters";

/** Returns the plan for a beginning. */
export type PlanOf = (beginning: string) => BeginningPlan;

/** Lets FTS5 merge all lists. */
export const MERGE: PlanOf = () => "merged";

/** The expression that finds a phrase. */
export function phrased(code: string, phrase: Phrase, planOf: PlanOf): string {
  const words = phrase.isInside === true
    ? all(insideTerms(phrase).map((one) => inside(code, one)))
    : isBeginning(phrase)
    ? beginningWith(code, phrase, planOf)
    : quoted(code, phrase.terms.slice(0, MOST_TERMS));
  const others = phrase.or?.map((other) => phrased(code, other, planOf)) ?? [];
  if (others.length > 0) return any([phrase.isInside === true ? `(${words})` : words, ...others]);
  return phrase.isInside === true ? `(${words})` : words;
}

/** Returns whether the index looks for the beginning of a word. */
function isBeginning({ terms, isPrefix, isInside }: Phrase): boolean {
  return isPrefix && isInside !== true && terms.length <= MOST_TERMS;
}

/**
 * Characters, with the code, of the longest beginning that has a list of its own in the index. For a
 * longer one, FTS5 merges the lists of all its words.
 */
const LISTED = CODE_LENGTH + 3;
const MERGED = new RegExp(`[^" ]{${LISTED + 1}}" \\*`, "u");

/** Returns whether FTS5 merges lists of words before it finds the first match of an expression. */
export function isMerged(expression: string): boolean {
  return MERGED.test(expression);
}

/** The beginnings of words in an expression whose lists FTS5 would merge. */
export function* mergedBeginnings(code: string, phrase: Phrase): Generator<string> {
  const beginning = lastTerm(code, phrase);
  if (isBeginning(phrase) && listedOf(beginning) !== beginning) yield beginning;
  for (const other of phrase.or ?? []) yield* mergedBeginnings(code, other);
}

function lastTerm(code: string, { terms }: Phrase): string {
  return `${code}${terms.at(-1)}`;
}

/** The longest part of a beginning that has a list of its own. */
function listedOf(beginning: string): string {
  return [...beginning].slice(0, LISTED).join("");
}

function beginningWith(code: string, phrase: Phrase, planOf: PlanOf): string {
  const beginning = lastTerm(code, phrase);
  const plan = planOf(beginning);
  const before = phrase.terms.slice(0, -1).map((term) => `${code}${term} `).join("");
  if (plan === "merged") return `"${before}${beginning}" *`;
  if (plan === "by first letters") return `"${before}${listedOf(beginning)}" *`;
  // If there is none, the beginning itself is no word either.
  const wanted = plan.length === 0 ? [beginning] : plan;
  return any(wanted.map((word) => `"${before}${word}"`));
}

/**
 * A pair or a character of a script without spaces is a word or the beginning of one, or an
 * overlap. Longer beginnings beside them are found by their first letters: the texts are read anyway.
 */
function inside(code: string, { term, isPrefix }: IndexTerm): string {
  const word = isPrefix ? `"${listedOf(code + term)}" *` : quoted(code, [term]);
  return isUnspaced(term) ? any([word, quoted(overlapCode(code), [term])]) : word;
}

function quoted(code: string, terms: readonly string[]): string {
  return `"${terms.map((term) => code + term).join(" ")}"`;
}

/** All of these. */
export function all(expressions: readonly string[]): string {
  return expressions.join(" AND ");
}

/** Any of these. */
export function any(expressions: readonly string[]): string {
  return `(${expressions.join(" OR ")})`;
}
