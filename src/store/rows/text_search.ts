/**
 * Searching text blocks for rows whose texts contain something.
 *
 * @module
 */
import type { Filter } from "../../content/query/filter.ts";
import type { Bound } from "../../content/query/ranges.ts";
import { firstOf, type Plan, runOne } from "../plan.ts";
import { idsWithin, searchedText, type TextTest } from "../text_blocks.ts";
import type { IndexRange, ValueRange } from "./index_ranges.ts";
import { raw, type Sql, sql } from "./sql.ts";
import type { RowSearch } from "./sort_prefix.ts";

/** The rows that one search has found so far, and where it goes on. */
export interface TextSearch {
  /** The end of the last block; undefined if there is none. */
  readonly last: BlockEnd | undefined;
  readonly ids: Set<string>;
  /** Rows that no sealed block has. */
  readonly unsealed: ValueRange[];
  /** The time that the search took, as a number of candidates. */
  cost: number;
  after: BlockEnd;
  isComplete: boolean;
}

type BlockEnd = readonly [time: number, id: string];
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
const MOST_COST = 8_192;
/** Checks of rows in the time of one block. */
const CHECKS_PER_BLOCK = 32;

/** Candidates that are read in the time of a block with a match. */
const CANDIDATES_PER_BLOCK = 16;
/** Blocks that one statement returns at most. */
const MOST_BLOCKS = 256;

const FIRST: BlockEnd = [Number.MIN_SAFE_INTEGER, ""];

/** Finds, for conditions within a filter, ranges with all rows that pass; at most about `most`. */
export function* searchTexts(
  search: RowSearch,
  filter: Filter,
  most: number,
): Plan<ReadonlyMap<Filter, readonly IndexRange[]>> {
  const found = new Map<Filter, readonly IndexRange[]>();
  const tests = searchedTests(filter);
  if (tests.length > MOST_TESTS) return found;
  for (const { filter, propertyId, test } of tests) {
    const ranges = yield* searchColumn(search, { propertyId, test }, Math.min(most, MOST_COST));
    if (ranges !== undefined) found.set(filter, ranges);
  }
  return found;
}

interface ColumnTest {
  readonly propertyId: string;
  readonly test: TextTest;
}

/** The conditions whose rows may be candidates for the filter. */
function searchedTests(filter: Filter): (ColumnTest & { readonly filter: Filter })[] {
  if (filter.op === "and" || filter.op === "or") return filter.filters.flatMap(searchedTests);
  if (filter.op !== "test" || filter.field.kind !== "cells" || filter.test.is !== "text") return [];
  const { field: { propertyId }, test } = filter;
  const isWithin = (test.how === "contains" || test.how === "ends") && test.text !== "";
  return isWithin ? [{ filter, propertyId, test }] : [];
}

function* searchColumn(
  search: RowSearch,
  column: ColumnTest,
  most: number,
): Plan<readonly IndexRange[] | undefined> {
  const name = JSON.stringify(column);
  const state = search.texts.get(name) ?? (yield* beginSearch(search, column));
  search.texts.set(name, state);
  const { last, ids, unsealed } = state;
  if (last === undefined) return undefined;
  while (!state.isComplete && state.cost <= most) {
    yield* searchPortion(search, column, { state, most });
  }
  return state.isComplete && state.cost <= most
    ? [{ rowIds: [...ids] }, ...unsealed, createdIn({ from: bound(last[0]) })]
    : undefined;
}

function* beginSearch(search: RowSearch, { propertyId }: ColumnTest): Plan<TextSearch> {
  const answer = yield* runOne(sql`
    SELECT b.last_time, b.last_id FROM text_blocks b WHERE ${blocksOf(search, propertyId)}
    ORDER BY b.last_time DESC, b.last_id DESC LIMIT 1`);
  const last = firstOf<BlockEnd>(answer);
  return {
    last,
    ids: new Set(),
    unsealed: [],
    cost: 0,
    after: FIRST,
    isComplete: last === undefined,
  };
}

/** Searches the next blocks, as many as one statement may read. */
function* searchPortion(
  search: RowSearch,
  column: ColumnTest,
  { state, most }: { readonly state: TextSearch; readonly most: number },
): Plan<void> {
  const { pace } = search;
  const portion = Math.floor(pace.checks / CHECKS_PER_BLOCK) || 1;
  const end = portion === Infinity ? undefined : yield* endAfter(search, column, state, portion);
  pace.nextChecks = portion * CHECKS_PER_BLOCK;
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
  { after: [time, id] }: TextSearch,
  blocks: number,
): Plan<BlockEnd | undefined> {
  const answer = yield* runOne(sql`
    SELECT b.last_time, b.last_id FROM text_blocks b
    WHERE ${blocksOf(search, propertyId)} AND (b.last_time, b.last_id) > (${time}, ${id})
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
  { state: { after: [time, id] }, end, limit }: Portion,
): Sql {
  const until = end === undefined
    ? raw("")
    : sql`AND (b.last_time, b.last_id) <= (${end[0]}, ${end[1]})`;
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
    WHERE ${blocksOf(search, propertyId)} AND (b.last_time, b.last_id) > (${time}, ${id}) ${until}
      AND (b.texts IS NULL OR b.has_long = 1 OR ${
    search.dialect.containsLong(raw("b.texts"), searchedText(test))
  })
    ORDER BY b.last_time, b.last_id LIMIT CAST(${limit} AS integer)`;
}

function blocksOf({ rowSet: { workspace, databaseId } }: RowSearch, propertyId: string): Sql {
  return sql`b.workspace_id = ${workspace} AND b.database_id = ${databaseId}
    AND b.property_id = ${propertyId}`;
}

function createdIn(range: ValueRange["range"]): ValueRange {
  return { field: { kind: "row", member: "createdTime" }, valueClass: "number", range };
}

function bound(value: number): Bound {
  return { value, excluded: false };
}
