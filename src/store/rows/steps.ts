/**
 * The two ways to read the rows of a sort prefix: by indexes for the filter, or by one for a sort.
 *
 * @module
 */
import { type Candidates, sum } from "./candidates.ts";
import type { IndexScan } from "./dialect.ts";
import { takeFirst } from "./first.ts";
import { portionOf, spendChecks, takePortion } from "./portions.ts";
import { type Plan, runOne, type SqlResult } from "../plan.ts";
import {
  isBehind,
  isFull,
  roomIn,
  type RowSearch,
  type SortPrefix,
  type VersionedCursor,
} from "./sort_prefix.ts";

/**
 * Adds the first rows of a sort prefix that are among the candidates. Checks all candidates, portion
 * by portion.
 */
export function* scanCandidates(
  search: RowSearch,
  prefix: SortPrefix,
  { ranges, residual: rest }: Candidates,
): Plan<void> {
  const { compare, dialect, cursors } = search;
  const residual = { ...prefix, filter: rest };
  const options = { compare, room: roomIn(search) };
  let first: readonly VersionedCursor[] = [];
  for (let left = ranges; left.length > 0;) {
    const { now, later } = yield* takePortion(search, left, portionOf(search, residual));
    spendChecks(search, residual, sum(now.map(({ count }) => count)));
    const answer = yield* runOne(
      dialect.scanCandidates(search, residual, now.map(({ indexRange }) => indexRange)),
    );
    const more = newCursors([...cursors, ...first], cursorsIn(search, residual, answer));
    first = takeFirst(chain(first, more), options);
    left = later;
  }
  cursors.push(...first);
}

/** Adds the first rows of a sort prefix in the order of an index scan, until the page is full. */
export function* scanIndex(search: RowSearch, prefix: SortPrefix, scan: IndexScan): Plan<void> {
  const { compare, dialect, cursors } = search;
  const sortedBy = prefix.fixed.length;
  // Rows that have moved may be on the page already: then the scan goes on for as many more.
  for (const limit of [roomIn(search), search.limit]) {
    const answer = yield* runOne(dialect.scanIndex(search, prefix, { ...scan, limit }));
    const found = newCursors(cursors, cursorsIn(search, prefix, answer));
    cursors.push(...takeFirst(found, { compare, room: roomIn(search), sortedBy }));
    const isCut = Array.isArray(answer) && answer.length === limit;
    if (!isCut || isFull(search)) return;
  }
}

/** Skips rows that were found already: a row can move ahead between two portions. */
function* newCursors(
  existing: readonly VersionedCursor[],
  found: Iterable<VersionedCursor>,
): Iterable<VersionedCursor> {
  const ids = new Set(existing.map(({ id }) => id));
  for (const cursor of found) if (!ids.has(cursor.id)) yield cursor;
}

function* chain<T>(...all: readonly Iterable<T>[]): Iterable<T> {
  for (const some of all) yield* some;
}

function* cursorsIn(
  search: RowSearch,
  { fixed, after, until }: SortPrefix,
  answer: SqlResult,
): Iterable<VersionedCursor> {
  for (const [id, version, ...values] of answer) {
    const keys = [...fixed, ...search.dialect.keys(values)];
    const cursor = { keys, id: String(id), version: Number(version) };
    if (until !== undefined && isBehind(search, until, cursor)) continue;
    if (after === undefined || isBehind(search, after, cursor)) yield cursor;
  }
}
