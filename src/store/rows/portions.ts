/**
 * Cutting what has to be looked at into portions, one statement each: rows times conditions have no
 * bound of their own.
 *
 * @module
 */
import { spend } from "../../content/formulas/compute_budget.ts";
import { fieldsIn } from "../../content/query/fields.ts";
import { before, beyond, intersect, upTo } from "../../content/query/ranges.ts";
import type { CountedSpan } from "./candidates.ts";
import type { Plan } from "../plan.ts";
import { probe } from "./probe.ts";
import {
  type IndexRange,
  isOneValue,
  type LinkSpan,
  rangeOfKey,
  type ValueRange,
} from "./index_ranges.ts";
import type { RowSearch, SortPrefix } from "./sort_prefix.ts";

/** How many rows of a stage one statement may judge. */
export function portionOf(search: RowSearch, prefix: SortPrefix): number {
  return Math.max(1, Math.floor(search.pace.looks / looksAt(search, prefix)));
}

/**
 * Takes the looks at so many rows of a stage, before the statement for it is asked; throws a
 * `LimitError` where none are left.
 */
export function spendLooks(search: RowSearch, prefix: SortPrefix, rows: number): void {
  const looks = rows * looksAt(search, prefix);
  search.pace.asked = looks;
  if (search.work !== undefined) spend(search.work, looks);
}

/** Looks that one row takes: one, and one more for each condition and each sort. */
function looksAt({ sorts }: RowSearch, { filter }: SortPrefix): number {
  return 1 + sorts.length + (filter === undefined ? 0 : fieldsIn(filter).length);
}

interface Portion {
  readonly now: readonly CountedSpan[];
  readonly later: readonly CountedSpan[];
}

/** As many of the spans as one statement may look at, a part of the first where that has more rows. */
export function* takePortion(
  search: RowSearch,
  ranges: readonly CountedSpan[],
  rows: number,
): Plan<Portion> {
  const [first, ...others] = ranges;
  if (first === undefined) return { now: [], later: [] };
  if (first.count > rows) {
    const [now, ...later] = yield* cut(search, first.span, rows);
    const rest = later.map((span) => ({ span, count: first.count }));
    return { now: [{ span: now, count: rows }], later: [...rest, ...others] };
  }
  let room = rows;
  const end = ranges.findIndex(({ count }) => (room -= count) < 0);
  return end < 0
    ? { now: ranges, later: [] }
    : { now: ranges.slice(0, end), later: ranges.slice(end) };
}

/** Parts of a span of which the first has at most so many rows; rows that come or go move no end. */
function* cut(
  search: RowSearch,
  span: IndexRange,
  rows: number,
): Plan<readonly [IndexRange, ...IndexRange[]]> {
  const ordered = span === "all" ? EVERY_ROW : span;
  if ("linkedWith" in ordered || isOneValue(ordered)) return yield* cutIds(search, ordered, rows);
  const { field, range } = ordered;
  const [end] = yield* probe(search, { span: ordered, descending: false }, "value", [rows]);
  if (end === undefined) return [ordered];
  return [
    { ...ordered, range: intersect(range, before(end, false)) },
    rangeOfKey(field, end),
    { ...ordered, range: intersect(range, beyond(end, false)) },
  ];
}

/** Every row has been made at some time, and no index has all of them by their ids. */
const EVERY_ROW: ValueRange = {
  field: { kind: "row", member: "createdTime" },
  valueClass: "number",
  range: {},
};

function* cutIds(
  search: RowSearch,
  span: ValueRange | LinkSpan,
  rows: number,
): Plan<readonly [IndexRange, ...IndexRange[]]> {
  const [end] = yield* probe(search, { span, descending: false }, "id", [rows]);
  if (end === undefined) return [span];
  const ids = span.ids ?? {};
  return [
    { ...span, ids: intersect(ids, upTo(end, false)) },
    { ...span, ids: intersect(ids, beyond(end, false)) },
  ];
}
