/**
 * What is asked of the index of words, in FTS5's language. Terms are letters, digits and emoji alone,
 * and each stands in quotes, so that nothing of a query is read as part of that language.
 *
 * @module
 */
import type { Phrase } from "../../../search/text/query.ts";
import type { Scope } from "../../port.ts";

/** Between the texts of one part, so that no phrase reaches from one into the next. */
const GAP = "§";

/** Begins what no text has: what is kept of a page's place. */
const MARK = "§";

/** What every part of a page has that has several. */
export const MANY = `${MARK}many`;

/** The mark of a page or of a database. */
export function kindMark(kind: string): string {
  return MARK + kind;
}

/** The mark of what hangs from this. */
export function parentMark(id: string): string {
  return `${MARK}in${bare(id)}`;
}

/** The mark of all that is below this. */
export function ancestorMark(id: string): string {
  return `${MARK}under${bare(id)}`;
}

/** What pages of a scope have; nothing where it is the whole workspace. */
export function marksOf({ kind, parentId, ancestorId }: Scope): string[] {
  return [
    ...(kind === undefined ? [] : [kindMark(kind)]),
    ...(parentId === undefined ? [] : [parentMark(parentId)]),
    ...(ancestorId === undefined ? [] : [ancestorMark(ancestorId)]),
  ];
}

/** An id as one token. */
function bare(id: string): string {
  return id.replaceAll("-", "");
}

/** Spaced words as the index takes them, each behind the code of its workspace. */
export function coded(code: string, words: string): string {
  return words.trimEnd().replaceAll(" ", ` ${code}`);
}

/** Several spaced texts as the index takes them. */
export function codedTexts(code: string, texts: readonly string[]): string {
  return texts.map((words) => coded(code, words)).join(` ${GAP}`);
}

/** What asks for a mark. */
export function marked(code: string, mark: string): string {
  return `"${code}${mark}"`;
}

/** What asks for a phrase. */
export function phrased(code: string, { terms, isPrefix }: Phrase): string {
  const quoted = `"${terms.map((term) => code + term).join(" ")}"`;
  return isPrefix ? `${quoted} *` : quoted;
}

/** All of these. */
export function all(expressions: readonly string[]): string {
  return expressions.join(" AND ");
}

/** Any of these. */
export function any(expressions: readonly string[]): string {
  return `(${expressions.join(" OR ")})`;
}
