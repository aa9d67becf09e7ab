/**
 * The first of many places, without keeping all of them.
 *
 * @module
 */
import type { RowCursor } from "../../content/query/filter.ts";

export interface FirstOptions {
  readonly compare: (a: RowCursor, b: RowCursor) => number;
  /** At most this many. */
  readonly room: number;
  /** Of the sort whose order the places come in already; left out where they come in none. */
  readonly sortedBy?: number;
}

/** The first places in order; stops asking for more once none of them can be among these. */
export function takeFirst(
  cursors: Iterable<RowCursor>,
  { compare, room, sortedBy }: FirstOptions,
): RowCursor[] {
  let first: RowCursor[] = [];
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
