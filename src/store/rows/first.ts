/**
 * The first of many cursors, without keeping all of them in memory.
 *
 * @module
 */
import type { RowCursor } from "../../content/query/filter.ts";

export interface FirstOptions {
  readonly compare: (a: RowCursor, b: RowCursor) => number;
  /** At most this many. */
  readonly room: number;
  /** Index of the sort by which the cursors are ordered already; undefined if they are not. */
  readonly sortedBy?: number;
}

/** Returns the first cursors in order. Stops reading once no further cursor can be among them. */
export function takeFirst<Cursor extends RowCursor>(
  cursors: Iterable<Cursor>,
  { compare, room, sortedBy }: FirstOptions,
): Cursor[] {
  let first: Cursor[] = [];
  for (const cursor of cursors) {
    const last = first[room - 1];
    const isBehind = last !== undefined && sortedBy !== undefined &&
      last.keys[sortedBy] !== cursor.keys[sortedBy];
    if (isBehind) break;
    first.push(cursor);
    if (first.length >= 2 * room) first = first.sort(compare).slice(0, room);
  }
  return first.sort(compare).slice(0, room);
}
