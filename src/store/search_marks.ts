/**
 * What the index of words keeps of where a page is, as if it were words of its text.
 *
 * @module
 */
import type { SearchWithin } from "./port.ts";

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

/** The marks that all pages of a scope have; none if it is the whole workspace. */
export function marksOf({ kind, parentId, ancestorId }: SearchWithin): string[] {
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
