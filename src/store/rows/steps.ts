/**
 * The two ways to the rows of a stage: by the filter's indexes, or by a sort's.
 *
 * @module
 */
import type { RowCursor } from "../../content/query/filter.ts";
import { type Candidates, sum } from "./candidates.ts";
import type { IndexScan } from "./dialect.ts";
import { takeFirst } from "./first.ts";
import { portionOf, spendLooks, takePortion } from "./portions.ts";
import { type Plan, runOne, type SqlResult } from "../plan.ts";
import { isBehind, roomIn, type RowSearch, type SortPrefix } from "./sort_prefix.ts";

/**
 * Adds the first rows of a stage that are among the candidates: all are judged, portion by portion,
 * the first kept.
 */
export function* scanCandidates(
  search: RowSearch,
  prefix: SortPrefix,
  { ranges, rest }: Candidates,
): Plan<void> {
  const { compare, dialect, cursors } = search;
  const asked = { ...prefix, filter: rest };
  const options = { compare, room: roomIn(search) };
  let first: readonly RowCursor[] = [];
  for (let left = ranges; left.length > 0;) {
    const { now, later } = yield* takePortion(search, left, portionOf(search, asked));
    spendLooks(search, asked, sum(now.map(({ count }) => count)));
    const answer = yield* runOne(
      dialect.scanCandidates(search, asked, now.map(({ span }) => span)),
    );
    const more = unknownOf([...cursors, ...first], placesIn(search, asked, answer));
    first = takeFirst(chain(first, more), options);
    left = later;
  }
  cursors.push(...first);
}

/** Adds the first rows of a stage that the walk meets: one after the other, until the page is full. */
export function* scanIndex(search: RowSearch, prefix: SortPrefix, way: IndexScan): Plan<void> {
  const { compare, dialect, cursors } = search;
  const found = placesIn(search, prefix, yield* runOne(dialect.scanIndex(search, prefix, way)));
  const sortedBy = prefix.fixed.length;
  const room = roomIn(search);
  cursors.push(...takeFirst(unknownOf(cursors, found), { compare, room, sortedBy }));
}

/** The places of other rows: between two portions a row can move to where it is met once more. */
function* unknownOf(known: readonly RowCursor[], found: Iterable<RowCursor>): Iterable<RowCursor> {
  const ids = new Set(known.map(({ id }) => id));
  for (const cursor of found) if (!ids.has(cursor.id)) yield cursor;
}

function* chain<T>(...all: readonly Iterable<T>[]): Iterable<T> {
  for (const some of all) yield* some;
}

function* placesIn(
  search: RowSearch,
  { fixed, after }: SortPrefix,
  answer: SqlResult,
): Iterable<RowCursor> {
  for (const [id, ...values] of answer) {
    const cursor = { keys: [...fixed, ...search.dialect.keys(values)], id: String(id) };
    if (after === undefined || isBehind(search, after, cursor)) yield cursor;
  }
}
