/**
 * Splits large scans into portions, one statement each, because rows times conditions are unbounded.
 *
 * @module
 */
import { spend } from "../../content/formulas/compute_budget.ts";
import { fieldsIn } from "../../content/query/fields.ts";
import { before, beyond, exactly, intersect, upTo } from "../../content/query/ranges.ts";
import type { CountedRange } from "./candidates.ts";
import type { Plan } from "../plan.ts";
import { probe } from "./probe.ts";
import {
  type IndexRange,
  isOneValue,
  isRowList,
  type LinkRange,
  type ValueRange,
} from "./index_ranges.ts";
import { textsIn } from "./long_texts.ts";
import type { RowSearch, SortPrefix } from "./sort_prefix.ts";

/** Checks in the time in which a text, which may be long, is read for all conditions on it. */
const CHECKS_PER_TEXT = 256;

/** How many rows of a sort prefix one statement may check. */
export function portionOf(
  search: Pick<RowSearch, "sorts" | "pace" | "mostRows">,
  prefix: Pick<SortPrefix, "filter">,
): number {
  const rows = Math.floor(search.pace.checks / timePerRow(search, prefix));
  return Math.max(1, Math.min(rows, search.mostRows));
}

/**
 * Spends the checks of a statement that is about to read this many rows. Throws `LimitError` if the
 * budget is used up.
 */
export function spendChecks(search: RowSearch, prefix: SortPrefix, rows: number): void {
  const checks = rows * checksPerRow(search, prefix);
  search.pace.nextChecks = rows * timePerRow(search, prefix);
  search.checked += rows;
  if (search.budget !== undefined) spend(search.budget, checks);
}

/** One check for the row itself, and one for each condition and each sort. */
function checksPerRow(
  { sorts }: Pick<RowSearch, "sorts">,
  { filter }: Pick<SortPrefix, "filter">,
): number {
  return 1 + sorts.length + (filter === undefined ? 0 : fieldsIn(filter).length);
}

/** The time that a row takes, as a number of checks. */
function timePerRow(
  search: Pick<RowSearch, "sorts">,
  prefix: Pick<SortPrefix, "filter">,
): number {
  const texts = prefix.filter === undefined ? 0 : textsIn(prefix.filter).size;
  return checksPerRow(search, prefix) + texts * CHECKS_PER_TEXT;
}

interface Portion {
  readonly now: readonly CountedRange[];
  readonly later: readonly CountedRange[];
}

/** Takes as many ranges as one statement may read, or a part of the first one if that is larger. */
export function* takePortion(
  search: RowSearch,
  ranges: readonly CountedRange[],
  rows: number,
): Plan<Portion> {
  const [first, ...others] = ranges;
  if (first === undefined) return { now: [], later: [] };
  if (first.count > rows) {
    const [now, ...later] = yield* cut(search, first.indexRange, rows);
    const rest = later.map((indexRange) => ({
      indexRange,
      count: isRowList(indexRange) ? indexRange.rowIds.length : first.count,
    }));
    return { now: [{ indexRange: now, count: rows }], later: [...rest, ...others] };
  }
  let room = rows;
  const end = ranges.findIndex(({ count }) => (room -= count) < 0);
  return end < 0
    ? { now: ranges, later: [] }
    : { now: ranges.slice(0, end), later: ranges.slice(end) };
}

/** Splits an index range at a fixed value or ID; the first part has at most `rows` rows. */
function* cut(
  search: RowSearch,
  indexRange: IndexRange,
  rows: number,
): Plan<readonly [IndexRange, ...IndexRange[]]> {
  if (isRowList(indexRange)) {
    const { rowIds } = indexRange;
    return [{ rowIds: rowIds.slice(0, rows) }, { rowIds: rowIds.slice(rows) }];
  }
  const ordered = indexRange === "all" ? EVERY_ROW : indexRange;
  if ("linkedWith" in ordered || isOneValue(ordered)) return yield* cutIds(search, ordered, rows);
  const { range } = ordered;
  const end = yield* probe(search, { indexRange: ordered, descending: false }, "value", rows);
  if (end === undefined) return [ordered];
  return [
    { ...ordered, range: intersect(range, before(end, false)) },
    { ...ordered, range: exactly(end) },
    { ...ordered, range: intersect(range, beyond(end, false)) },
  ];
}

/** Every row has a creation time, and no index has all rows by ID. */
const EVERY_ROW: ValueRange = {
  field: { kind: "row", member: "createdTime" },
  valueClass: "number",
  range: {},
};

function* cutIds(
  search: RowSearch,
  indexRange: ValueRange | LinkRange,
  rows: number,
): Plan<readonly [IndexRange, ...IndexRange[]]> {
  const end = yield* probe(search, { indexRange, descending: false }, "id", rows);
  if (end === undefined) return [indexRange];
  const ids = indexRange.ids ?? {};
  return [
    { ...indexRange, ids: intersect(ids, upTo(end, false)) },
    { ...indexRange, ids: intersect(ids, beyond(end, false)) },
  ];
}
