/**
 * Marks: the position of a page in the tree, indexed like words of its text.
 *
 * @module
 */
import type { SearchWithin } from "./port.ts";

/** Begins every mark; no text contains it. */
const MARK = "§";

/** The mark of every part of a page with several parts. */
export const MANY = `${MARK}many`;

/** The mark of a page or of a database. */
export function kindMark(kind: string): string {
  return MARK + kind;
}

/** The mark of the children of this node. */
export function parentMark(id: string): string {
  return `${MARK}in${bare(id)}`;
}

/** The mark of all descendants of this node. */
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
