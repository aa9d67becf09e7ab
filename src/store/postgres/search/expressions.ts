/**
 * What is asked of the index of words: which parts may have the phrases, and the texts that they then
 * must have, for the index knows no order of words.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Phrase } from "../../../search/text/query.ts";

const CODE_LENGTH = 5;
/** Characters of a term in the index, which takes no more than 2,046 bytes. */
const TERM_LENGTH = 500;

/** What each term of a workspace begins with; others may share it, so it only makes looking faster. */
export function codeOf(workspace: string): string {
  return createHash("sha256").update(workspace).digest("base64url").slice(0, CODE_LENGTH);
}

/** A term or mark as the index has it. */
export function coded(code: string, term: string): string {
  return code + [...term.slice(0, TERM_LENGTH)].join("").toWellFormed();
}

/** The expression that finds a mark. */
export function marked(code: string, mark: string): string {
  return quoted(coded(code, mark));
}

/** The expression that finds the terms of a phrase. */
export function phrased(code: string, { terms, isPrefix }: Phrase): string {
  const asked = terms.map((term) => quoted(coded(code, term)));
  return all([...asked.slice(0, -1), `${asked.at(-1)}${isPrefix ? ":*" : ""}`]);
}

/** The text that a spaced text with this phrase contains. */
export function textOf({ terms, isPrefix }: Phrase): string {
  return ` ${terms.join(" ")}${isPrefix ? "" : " "}`;
}

/** All of these. */
export function all(expressions: readonly string[]): string {
  return expressions.join(" & ");
}

/** Any of these. */
export function any(expressions: readonly string[]): string {
  return `(${expressions.join(" | ")})`;
}

function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
