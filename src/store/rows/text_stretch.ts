/**
 * Searching text blocks in the order of creation, stretch by stretch, so that a search ends with the
 * page.
 *
 * @module
 */
import type { Filter } from "../../content/query/filter.ts";
import { betweenOf, type Bound, intersect, type Range, upTo } from "../../content/query/ranges.ts";
import { firstOf, type Plan, runOne } from "../plan.ts";
import { BLOCK_SIZES } from "../text_blocks.ts";
import { type Candidates, type CountedRange, countRanges, MAX_RANGES, sum } from "./candidates.ts";
import type { IndexScan } from "./dialect.ts";
import { inRange } from "./in_range.ts";
import type { IndexRange, ValueRange } from "./index_ranges.ts";
import type { RowSearch, SortPrefix } from "./sort_prefix.ts";
import { orderOf } from "./sources.ts";
import { join, raw, sql } from "./sql.ts";
import {
  type BlockEnd,
  blocksOf,
  bound,
  type ColumnTest,
  createdIn,
  isBeyond,
  newSearch,
  searchBlocks,
  searchOf,
  type TextSearch,
} from "./text_search.ts";

/** The next rows by creation. */
export interface TextStretch {
  /** The time of the last ones; undefined if no rows follow. */
  readonly end: number | undefined;
  /** Rows that may pass the filter. */
  readonly candidates: Candidates;
}

type CreationScan = IndexScan & { readonly indexRange: ValueRange };

interface Stretch {
  /** Conditions of which every row passes one. */
  readonly tests: readonly ColumnTest[];
  /** Rows that it has at most, if blocks are as large as they may be. */
  readonly rows: number;
  /** Candidates that it may have. */
  readonly most: number;
}

/**
 * Searches the next blocks of a range of creation times. Returns undefined if its rows should be
 * read one by one: too many are candidates, or too many were created when the stretch would end.
 */
export function* searchStretch(
  search: RowSearch,
  { filter }: SortPrefix,
  { indexRange: { range }, descending }: CreationScan,
  { tests, rows, most }: Stretch,
): Plan<TextStretch | undefined> {
  const [first] = tests;
  if (first === undefined) return undefined;
  const blocks = Math.max(1, Math.floor(rows / BLOCK_SIZES.rows));
  const [end, next] = yield* nextEnds(search, first, { range, descending, blocks });
  if (end !== undefined && end === next) return undefined;
  const times = end === undefined ? range : intersect(range, upTo(end, descending));
  const ranges: CountedRange[] = [];
  let count = 0;
  for (const test of tests) {
    const found = yield* searchBetween(search, test, { times, most });
    if (isBeyond(found, most)) return undefined;
    ranges.push(...yield* countedRanges(search, found, { times, most }));
    count = sum(ranges.map(({ count }) => count));
    if (count > most || ranges.length > MAX_RANGES) return undefined;
  }
  return { end, candidates: { ranges, count, residual: within(times, filter) } };
}

interface Ends {
  readonly range: Range;
  readonly descending: boolean;
  readonly blocks: number;
}

/** Returns the time at which the last of the next blocks ends, and the time of the one behind it. */
function* nextEnds(
  search: RowSearch,
  { propertyId }: ColumnTest,
  { range, descending, blocks }: Ends,
): Plan<readonly (number | undefined)[]> {
  const conditions = [blocksOf(search, propertyId), ...inRange(raw("b.last_time"), range)];
  const order = orderOf([raw("b.last_time"), raw("b.last_id")], descending);
  const answer = yield* runOne(sql`
    SELECT b.last_time FROM text_blocks b WHERE ${join(conditions, " AND ")}
    ORDER BY ${order} LIMIT 2 OFFSET CAST(${blocks - 1} AS integer)`);
  return [...answer].map(([time]) => Number(time));
}

/** Returns the end of the first block that ends after a time, the last one with rows of this time. */
function* blockBehind(
  search: RowSearch,
  { propertyId }: ColumnTest,
  { value }: Bound,
): Plan<BlockEnd | undefined> {
  const answer = yield* runOne(sql`
    SELECT b.last_time, b.last_id FROM text_blocks b
    WHERE ${blocksOf(search, propertyId)} AND b.last_time > ${value}
    ORDER BY b.last_time, b.last_id LIMIT 1`);
  return firstOf<BlockEnd>(answer);
}

interface Times {
  /** Times of creation. */
  readonly times: Range;
  /** Candidates that are of use. */
  readonly most: number;
}

/** Searches all blocks that may have rows of these times. */
function* searchBetween(
  search: RowSearch,
  test: ColumnTest,
  { times: { from, to }, most }: Times,
): Plan<TextSearch> {
  const { last } = yield* searchOf(search, test);
  const until = to && (yield* blockBehind(search, test, to));
  // No ID is empty, so this includes the blocks that end at this time.
  const after: BlockEnd | undefined = from && [Number(from.value), ""];
  const found = newSearch(last, { ...(after && { after }), until });
  yield* searchBlocks(search, test, { state: found, most });
  return found;
}

/** Counts the candidates that were found, of each range up to one more than `most`. */
function* countedRanges(
  search: RowSearch,
  { ids, unsealed, last, until }: TextSearch,
  { times, most }: Times,
): Plan<readonly CountedRange[]> {
  const isLast = last !== undefined && until === undefined;
  const unsearched = [...unsealed, ...(isLast ? [createdIn({ from: bound(last[0]) })] : [])];
  const ranges: IndexRange[] = [
    { rowIds: [...ids] },
    ...unsearched.map((one) => ({ ...one, range: intersect(one.range, times) })),
  ];
  const counted = Math.ceil(search.pace.counted / ranges.length);
  const countOf = yield* countRanges(search, ranges, { most: Math.min(most, counted), counted });
  return ranges.map((indexRange) => ({ indexRange, count: countOf(indexRange).entries }));
}

/** Rows of blocks at either end of a stretch can belong to the stretches beside it. */
function within(times: Range, filter: Filter | undefined): Filter {
  const created: Filter = {
    op: "test",
    field: { kind: "row", member: "createdTime" },
    test: betweenOf(times),
  };
  return { op: "and", filters: filter === undefined ? [created] : [created, filter] };
}
