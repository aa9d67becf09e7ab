/**
 * Searching text blocks for rows whose texts contain something.
 *
 * @module
 */
import type { Filter } from "../../content/query/filter.ts";
import { conjuncts } from "../../content/query/merge_ranges.ts";
import type { Bound } from "../../content/query/ranges.ts";
import { firstOf, type Plan, runOne } from "../plan.ts";
import { idsWithin, searchedText, type TextTest } from "../text_blocks.ts";
import type { IndexRange, ValueRange } from "./index_ranges.ts";
import { raw, type Sql, sql } from "./sql.ts";
import type { RowSearch, SortPrefix } from "./sort_prefix.ts";

/** The rows that one search has found so far, and where it goes on. */
export interface TextSearch {
  /** The end of the last block; undefined if there is none, or if too many are not sealed. */
  readonly last: BlockEnd | undefined;
  readonly ids: Set<string>;
  /** Rows that no sealed block has. */
  readonly unsealed: ValueRange[];
  /** The time that the search took, as a number of candidates. */
  cost: number;
  after: BlockEnd;
  /** The last block to search; undefined if that is the last of all. */
  readonly until: BlockEnd | undefined;
  isComplete: boolean;
}

export type BlockEnd = readonly [time: number, id: string];
type BlockRow = readonly [
  time: number,
  id: string,
  texts: string | null,
  ids: string | null,
  before: number | null,
];

/** Conditions of one query that are searched for. */
const MOST_TESTS = 4;
/** Candidates in whose time a search ends, found or not. */
const MOST_COST = 65_536;
/** Checks of rows in the time of one block. */
const CHECKS_PER_BLOCK = 32;

/** Candidates that are read in the time of a block with a match. */
const CANDIDATES_PER_BLOCK = 16;
/** Blocks that are not sealed, whose rows are all candidates; with more, none are searched. */
const MOST_UNSEALED = 64;
/** Blocks that one statement returns at most. */
const MOST_BLOCKS = 256;

/** Ranges of the rows that pass a condition; undefined where they are not to be looked for. */
export type KnownRanges = ReadonlyMap<Filter, readonly IndexRange[] | undefined>;

const FIRST: BlockEnd = [Number.MIN_SAFE_INTEGER, ""];

export interface ColumnTest {
  readonly propertyId: string;
  readonly test: TextTest;
}

/** Conditions of a filter whose texts are in blocks. */
export type SearchedTests = ReadonlyMap<Filter, ColumnTest>;

/** Finds the conditions of a filter that are searched for in blocks: none of more than a few. */
export function* findSearchedTests(search: RowSearch, filter: Filter): Plan<SearchedTests> {
  const searched = new Map<Filter, ColumnTest>();
  const tests = textTests(filter);
  if (tests.length > MOST_TESTS) return searched;
  for (const { filter, ...column } of tests) {
    const { last } = yield* searchOf(search, column);
    if (last !== undefined) searched.set(filter, column);
  }
  return searched;
}

function textTests(filter: Filter): (ColumnTest & { readonly filter: Filter })[] {
  if (filter.op === "and" || filter.op === "or") return filter.filters.flatMap(textTests);
  if (filter.op !== "test" || filter.field.kind !== "cells" || filter.test.is !== "text") return [];
  const { field: { propertyId }, test } = filter;
  const isWithin = (test.how === "contains" || test.how === "ends") && test.text !== "";
  return isWithin ? [{ filter, propertyId, test }] : [];
}

/**
 * Finds conditions whose blocks have the rows in order: every row passes one of them, and the first
 * sort is by creation.
 */
export function* findTestsInOrder(
  search: RowSearch,
  { fixed, filter }: SortPrefix,
): Plan<readonly ColumnTest[] | undefined> {
  const field = search.sorts[fixed.length]?.field;
  const isByCreation = field?.kind === "row" && field.member === "createdTime";
  // Behind another sort, one search of all blocks serves all of its values.
  if (!isByCreation || fixed.length > 0 || filter === undefined) return undefined;
  const searched = yield* findSearchedTests(search, filter);
  const alternatives = conjuncts(filter).map((part) => part.op === "or" ? part.filters : [part]);
  return alternatives.find((parts) => parts.length > 0 && parts.every((one) => searched.has(one)))
    ?.flatMap((one) => searched.get(one) ?? []);
}

/** Finds, for each of these conditions, ranges with all rows that pass; at most about `most`. */
export function* searchTexts(
  search: RowSearch,
  tests: SearchedTests,
  most: number,
): Plan<KnownRanges> {
  const known = new Map<Filter, readonly IndexRange[] | undefined>();
  for (const [filter, column] of tests) {
    known.set(filter, yield* searchColumn(search, column, Math.min(most, MOST_COST)));
  }
  return known;
}

function* searchColumn(
  search: RowSearch,
  column: ColumnTest,
  most: number,
): Plan<readonly IndexRange[] | undefined> {
  const state = yield* searchOf(search, column);
  const { last, ids, unsealed } = state;
  if (last === undefined) return undefined;
  yield* searchBlocks(search, column, { state, most });
  return state.isComplete && !isBeyond(state, most)
    ? [{ rowIds: [...ids] }, ...unsealed, createdIn({ from: bound(last[0]) })]
    : undefined;
}

/** Returns the search of all blocks of a column, from where it stopped. */
export function* searchOf(search: RowSearch, column: ColumnTest): Plan<TextSearch> {
  const name = JSON.stringify(column);
  const state = search.texts.get(name) ?? (yield* beginSearch(search, column));
  search.texts.set(name, state);
  return state;
}

function* beginSearch(search: RowSearch, { propertyId }: ColumnTest): Plan<TextSearch> {
  const answer = yield* runOne(sql`
    SELECT b.last_time, b.last_id FROM text_blocks b
    WHERE ${blocksOf(search, propertyId)} AND NOT EXISTS (
      SELECT 1 FROM text_blocks b WHERE ${blocksOf(search, propertyId)} AND b.texts IS NULL
      LIMIT 1 OFFSET ${raw(String(MOST_UNSEALED))}
    )
    ORDER BY b.last_time DESC, b.last_id DESC LIMIT 1`);
  return newSearch(firstOf<BlockEnd>(answer), {});
}

/** A search of the blocks between two ends of blocks. */
export function newSearch(
  last: BlockEnd | undefined,
  { after = FIRST, until }: { readonly after?: BlockEnd; readonly until?: BlockEnd | undefined },
): TextSearch {
  const isComplete = last === undefined;
  return { last, ids: new Set(), unsealed: [], cost: 0, after, until, isComplete };
}

interface BoundedSearch {
  readonly state: TextSearch;
  /** Candidates that it may find, and in whose time it ends. */
  readonly most: number;
}

/** Continues a search until it is complete, or has found or cost more than `most`. */
export function* searchBlocks(
  search: RowSearch,
  column: ColumnTest,
  { state, most }: BoundedSearch,
): Plan<void> {
  while (!state.isComplete && !isBeyond(state, most)) {
    yield* searchPortion(search, column, { state, most });
  }
}

/** Returns whether so many candidates would take less time than what a search has found or cost. */
export function isBeyond({ ids, cost }: TextSearch, most: number): boolean {
  return Math.max(ids.size, cost) > most;
}

/** Searches the next blocks, as many as one statement may read. */
function* searchPortion(
  search: RowSearch,
  column: ColumnTest,
  { state, most }: BoundedSearch,
): Plan<void> {
  const { pace } = search;
  const portion = Math.floor(pace.checks / CHECKS_PER_BLOCK) || 1;
  const end = portion === Infinity ? undefined : yield* endAfter(search, column, state, portion);
  // The time of fewer blocks would say little.
  if (end !== undefined) pace.nextChecks = portion * CHECKS_PER_BLOCK;
  const left = Math.ceil((most - state.cost) / CANDIDATES_PER_BLOCK) + 1;
  const limit = Math.min(left, MOST_BLOCKS);
  const answer = yield* runOne(blocksSql(search, column, { state, end, limit }));
  // Sound because these are the columns that the statement names.
  const blocks = [...answer as Iterable<unknown>] as BlockRow[];
  for (const [time, , texts, ids, before] of blocks) {
    if (texts === null || ids === null) addUnsealed(state.unsealed, before, time);
    else for (const id of idsWithin({ texts, ids }, column.test)) state.ids.add(id);
    state.cost += CANDIDATES_PER_BLOCK;
  }
  const [time, id] = blocks.at(-1) ?? [];
  const isCut = blocks.length === limit && time !== undefined && id !== undefined;
  state.after = isCut ? [time, id] : end ?? state.after;
  state.isComplete = !isCut && end === undefined;
}

/** Adds the rows of a block, in one range with those of the block before. */
function addUnsealed(unsealed: ValueRange[], before: number | null, until: number): void {
  const last = unsealed.at(-1)?.range;
  const isNext = last?.to !== undefined && last.to.value === before;
  if (isNext) unsealed.pop();
  const from = isNext ? last.from : before === null ? undefined : bound(before);
  unsealed.push(createdIn({ ...(from && { from }), to: bound(until) }));
}

function* endAfter(
  search: RowSearch,
  { propertyId }: ColumnTest,
  { after: [time, id], until }: TextSearch,
  blocks: number,
): Plan<BlockEnd | undefined> {
  const answer = yield* runOne(sql`
    SELECT b.last_time, b.last_id FROM text_blocks b
    WHERE ${blocksOf(search, propertyId)} AND (b.last_time, b.last_id) > (${time}, ${id})
      ${endingBy(until)}
    ORDER BY b.last_time, b.last_id LIMIT 1 OFFSET CAST(${blocks - 1} AS integer)`);
  return firstOf<BlockEnd>(answer);
}

interface Portion {
  readonly state: TextSearch;
  readonly end: BlockEnd | undefined;
  readonly limit: number;
}

/** Selects the blocks that may have a row, and the time at which the block before ends. */
function blocksSql(
  search: RowSearch,
  { propertyId, test }: ColumnTest,
  { state: { after: [time, id], until }, end, limit }: Portion,
): Sql {
  return sql`
    SELECT b.last_time, b.last_id, b.texts, (
      SELECT r.ids FROM text_block_rows r
      WHERE r.workspace_id = b.workspace_id AND r.database_id = b.database_id
        AND r.property_id = b.property_id AND r.last_time = b.last_time AND r.last_id = b.last_id
    ), CASE WHEN b.texts IS NULL THEN (
      SELECT p.last_time FROM text_blocks p
      WHERE p.workspace_id = b.workspace_id AND p.database_id = b.database_id
        AND p.property_id = b.property_id AND (p.last_time, p.last_id) < (b.last_time, b.last_id)
      ORDER BY p.last_time DESC, p.last_id DESC LIMIT 1
    ) END
    FROM text_blocks b
    WHERE ${blocksOf(search, propertyId)} AND (b.last_time, b.last_id) > (${time}, ${id})
      ${endingBy(end ?? until)}
      AND (b.texts IS NULL OR b.has_long = 1 OR ${
    search.dialect.containsLong(raw("b.texts"), searchedText(test))
  })
    ORDER BY b.last_time, b.last_id LIMIT CAST(${limit} AS integer)`;
}

function endingBy(end: BlockEnd | undefined): Sql {
  return end === undefined ? raw("") : sql`AND (b.last_time, b.last_id) <= (${end[0]}, ${end[1]})`;
}

export function blocksOf(
  { rowSet: { workspace, databaseId } }: RowSearch,
  propertyId: string,
): Sql {
  return sql`b.workspace_id = ${workspace} AND b.database_id = ${databaseId}
    AND b.property_id = ${propertyId}`;
}

export function createdIn(range: ValueRange["range"]): ValueRange {
  return { field: { kind: "row", member: "createdTime" }, valueClass: "number", range };
}

export function bound(value: number): Bound {
  return { value, excluded: false };
}
