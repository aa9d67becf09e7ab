/**
 * Search expressions for the word index, and the texts that its candidates must contain: the index
 * does not store the order of words.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { insideTerms } from "../../../search/text/candidates.ts";
import type { Phrase } from "../../../search/text/query.ts";

const CODE_LENGTH = 5;
/** Maximum length of an indexed term in characters; PostgreSQL's limit is 2,046 bytes. */
const TERM_LENGTH = 500;

/**
 * Returns the prefix of a workspace's terms. Workspaces may share one, so it only narrows the
 * search.
 */
export function codeOf(workspace: string): string {
  return createHash("sha256").update(workspace).digest("base64url").slice(0, CODE_LENGTH);
}

/** Returns a term or mark in its indexed form. */
export function coded(code: string, term: string): string {
  return code + [...term.slice(0, TERM_LENGTH)].join("").toWellFormed();
}

/** Returns the expression that matches a mark. */
export function marked(code: string, mark: string): string {
  return quoted(coded(code, mark));
}

/** Returns the expression that matches the terms of a phrase, in any order. */
export function phrased(code: string, phrase: Phrase): string {
  const { terms, isPrefix, isInside, or = [] } = phrase;
  const wanted = isInside === true ? insideTerms(phrase) : terms.map((term, index) => ({
    term,
    isPrefix: isPrefix && index === terms.length - 1,
  }));
  const words = all(
    wanted.map((one) => quoted(coded(code, one.term)) + (one.isPrefix ? ":*" : "")),
  );
  return or.length === 0 ? words : any([words, ...or.map((other) => phrased(code, other))]
    .map((one) => `(${one})`));
}

/**
 * Returns the substring that a text contains if it contains the phrase; empty if several texts do, so
 * that what is found has to be checked. Texts have a space at both ends.
 */
export function textOf({ terms, isPrefix, isInside, or }: Phrase): string {
  if (isInside === true || or !== undefined) return "";
  return ` ${terms.join(" ")}${isPrefix ? "" : " "}`;
}

/** Combines expressions that must all match. */
export function all(expressions: readonly string[]): string {
  return expressions.join(" & ");
}

/** Combines expressions of which one must match. */
export function any(expressions: readonly string[]): string {
  return `(${expressions.join(" | ")})`;
}

function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
