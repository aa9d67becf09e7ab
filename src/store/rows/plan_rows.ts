/**
 * Query plans: one sort prefix after the other in the order of the sorts, each read through the
 * index with the fewest rows, until the page is full.
 *
 * @module
 */
import type { Sort, SortKey } from "../../content/query/filter.ts";
import { compareKeys } from "../../content/query/order.ts";
import { before, beyond, intersect, type Range, upTo } from "../../content/query/ranges.ts";
import { cheapestCandidates } from "./candidates.ts";
import {
  type IndexedField,
  rangeOfFirst,
  rangeWithin,
  type ValueClass,
  valueClassOf,
  valueClassOfKey,
  type ValueRange,
} from "./index_ranges.ts";
import type { Plan } from "../plan.ts";
import {
  isFull,
  isSingle,
  nextPrefix,
  roomIn,
  type RowSearch,
  type SortPrefix,
} from "./sort_prefix.ts";
import { probe, probeEnd } from "./probe.ts";
import { portionOf, spendChecks } from "./portions.ts";
import { scanAmong } from "./semi_join.ts";
import { scanCandidates, scanIndex } from "./steps.ts";
import { findTestsInOrder } from "./text_search.ts";
import { searchStretch } from "./text_stretch.ts";

/** Factor by which each scan is longer than the one before. */
const GROWTH = 4;
/**
 * Steps of a scan that cost as much as one candidate, which needs look-ups of its node and keys.
 */
const CANDIDATE_COST = 2;
/** Maximum number of sort prefixes that sorts with few values may expand to. */
const MAX_WIDTH = 1_000;

/** Adds the rows of a sort prefix in order. */
export function* planRows(search: RowSearch, prefix: SortPrefix): Plan<void> {
  if (isFull(search)) return;
  const sort = search.sorts[prefix.fixed.length];
  if (sort === undefined) return yield* scanIds(search, prefix);
  if (!fillsPage(search, prefix) && (yield* scanFew(search, prefix, search.few))) return;
  const width = prefix.width * (sort.values?.length ?? 0);
  // The first sort is always expanded: the alternative is to read all rows.
  const hasFewValues = sort.values !== undefined && (prefix.width === 1 || width <= MAX_WIDTH);
  if (hasFewValues) return yield* scanEachValue(search, { ...prefix, width }, sort);
  const { field } = sort;
  const isIndexed = sort.values === undefined && (field.kind === "cells" || field.kind === "row");
  if (isIndexed) return yield* scanValues(search, prefix, { ...sort, field });
  yield* scanFew(search, prefix, Infinity);
}

/** Plans one value after the other: the values are few, and each has many rows. */
function* scanEachValue(search: RowSearch, prefix: SortPrefix, sort: Sort): Plan<void> {
  const values = sort.values?.map(({ number, key }) => number ?? key) ?? [];
  const keys = [...(sort.descending ? values.toReversed() : values), null];
  const start = prefix.after?.keys[prefix.fixed.length];
  for (const key of keys) {
    if (start === undefined || compareKeys(sort)(key, start) >= 0) {
      yield* descend(search, prefix, sort, key);
    }
  }
}

function* descend(search: RowSearch, prefix: SortPrefix, sort: Sort, key: SortKey): Plan<void> {
  const inner = nextPrefix(prefix, sort, key);
  if (inner !== undefined) yield* planRows(search, inner);
}

type IndexedSort = Sort & { readonly field: IndexedField };

/** Scans the values in the order of their index, then the rows without a value. */
function* scanValues(search: RowSearch, prefix: SortPrefix, sort: IndexedSort): Plan<void> {
  const start = prefix.after?.keys[prefix.fixed.length];
  if (start !== undefined && start !== null && prefix.after?.id !== undefined) {
    yield* descend(search, prefix, sort, start);
  }
  if (start !== null) {
    for (const [index, valueClass] of valueClassesFrom(sort, start).entries()) {
      const from = index === 0 ? start : undefined;
      if (
        isFull(search) || (yield* scanValueClass(search, prefix, { sort, valueClass, start: from }))
      ) return;
    }
  }
  if (sort.field.kind === "cells") yield* descend(search, prefix, sort, null);
}

/** The value classes in the order of the sort, starting with that of `start`. */
function valueClassesFrom(
  { field, descending }: IndexedSort,
  start: SortKey | undefined,
): readonly ValueClass[] {
  if (field.kind === "row") return [valueClassOf(field.member)];
  const classes: readonly ValueClass[] = descending ? ["key", "number"] : ["number", "key"];
  return start === undefined ? classes : classes.slice(classes.indexOf(valueClassOfKey(start)));
}

interface ValueClassScan {
  readonly sort: IndexedSort;
  readonly valueClass: ValueClass;
  /** Only after this value, which belongs to the class. */
  readonly start: number | string | undefined;
}

/**
 * Scans longer and longer stretches of the index. After each, it counts whether reading all
 * remaining candidates is cheaper, so the total cost is never far above the cheaper way. Returns
 * true if it read the candidates, which completes the sort prefix.
 */
function* scanValueClass(
  search: RowSearch,
  prefix: SortPrefix,
  { sort, valueClass, start }: ValueClassScan,
): Plan<boolean> {
  const { field, descending } = sort;
  let range = isSingle(sort) ? rangeWithin(valueClass, field, prefix.filter) : {};
  if (range === undefined) return false;
  if (start !== undefined) range = intersect(range, beyond(start, descending));
  const soFar = rowsSoFar(search);
  for (let stride = firstStride(search, prefix);; stride = nextStride(stride)) {
    const scan = { sort, indexRange: { field, valueClass, range } };
    const { end } = (yield* scanTexts(search, prefix, scan, stride)) ??
      (yield* scanStretch(search, prefix, scan, stride));
    if (end === undefined || isFull(search)) return false;
    range = intersect(range, beyond(end, descending));
    const rest = { ...prefix, after: { keys: [...prefix.fixed, end] } };
    const next = { ...scan, indexRange: { field, valueClass, range } };
    if (isComplete(stride) && (yield* scanFewInstead(search, rest, { next, stride, soFar }))) {
      return true;
    }
  }
}

/** Adds the remaining rows from among candidates if that costs less than to scan on. */
function* scanFewInstead(
  search: RowSearch,
  prefix: SortPrefix,
  { next, stride: { until }, soFar }: NextScan,
): Plan<boolean> {
  const least = until * GROWTH;
  // A scan that searches texts in order takes a part of the time of others.
  const isInOrder = (yield* findTestsInOrder(search, prefix)) !== undefined;
  const steps = isInOrder ? least : Math.max(least, stepsToFill(search, soFar));
  // To read every row costs no less than to scan on.
  const bounds = { bound: boundOf(steps), withAll: steps === least && !isInOrder };
  const candidates = yield* cheapestCandidates(search, prefix, bounds);
  if (candidates === undefined) return false;
  const scan = { indexRange: next.indexRange, descending: next.sort.descending };
  const rest = yield* scanAmong(search, prefix, { scan, candidates, steps });
  if (!isFull(search)) yield* scanCandidates(search, rest, candidates);
  return true;
}

interface NextScan {
  readonly next: ValueScan;
  readonly stride: Stride;
  /** The rows that were checked and found before the first scan. */
  readonly soFar: RowCount;
}

interface RowCount {
  readonly checked: number;
  readonly found: number;
}

function rowsSoFar({ checked, cursors }: RowSearch): RowCount {
  return { checked, found: cursors.length };
}

/** Estimates how many rows have to be checked, if as many of them are found as since the start. */
function stepsToFill(search: RowSearch, start: RowCount): number {
  const { checked, found } = rowsSoFar(search);
  return Math.ceil(roomIn(search) * (checked - start.checked) / Math.max(1, found - start.found));
}

interface ValueScan {
  readonly sort: IndexedSort;
  readonly indexRange: ValueRange;
}

/** How far a scan has come. */
interface Scanned {
  /** The value of its last rows; undefined if no rows follow. */
  readonly end: number | string | undefined;
}

/** Reads the next rows of the index, as many as one statement may. */
function* scanStretch(
  search: RowSearch,
  prefix: SortPrefix,
  { sort, indexRange }: ValueScan,
  stride: Stride,
): Plan<Scanned> {
  const { descending } = sort;
  const { range } = indexRange;
  const steps = stepsOf(search, prefix, stride);
  const few = Math.min(search.few, portionOf(search, prefix));
  const { isEmpty, isShared, value: end } = yield* probeEnd(search, { indexRange, descending }, {
    steps,
    few,
  });
  if (isEmpty) return { end: undefined };
  // If many rows have the last value, they get a sort prefix of their own.
  const until = isShared ? before : upTo;
  const scanned = end === undefined ? range : intersect(range, until(end, descending));
  spendChecks(search, prefix, steps);
  yield* scanIndex(search, prefix, { indexRange: { ...indexRange, range: scanned }, descending });
  if (end !== undefined && isShared && !isFull(search)) {
    yield* descend(search, { ...prefix, after: undefined }, sort, end);
  }
  return { end };
}

/**
 * Reads those of the next rows that may contain a text, where blocks have the rows in order. The
 * first stretch of the index is scanned without: many matches end it.
 */
function* scanTexts(
  search: RowSearch,
  prefix: SortPrefix,
  { sort: { descending }, indexRange }: ValueScan,
  stride: Stride,
): Plan<Scanned | undefined> {
  // A stretch of which too much matches is read row by row to its end.
  const isFirst = stride.until > search.few && stride.done === 0;
  const tests = isFirst ? yield* findTestsInOrder(search, prefix) : undefined;
  if (tests === undefined) return undefined;
  const rows = stride.until;
  const most = Math.floor(rows / CANDIDATE_COST);
  const scan = { indexRange, descending };
  const stretch = yield* searchStretch(search, prefix, scan, { tests, rows, most });
  if (stretch === undefined) return undefined;
  stride.done = stride.until;
  yield* scanCandidates(search, prefix, stretch.candidates);
  return stretch;
}

/** Scans the rows of a sort prefix that fixes all keys, by ID. */
function* scanIds(search: RowSearch, prefix: SortPrefix): Plan<void> {
  const sort = search.sorts.at(-1);
  const key = prefix.fixed.at(-1);
  if (sort === undefined || key === undefined) return;
  const { field, descending } = sort;
  const first = rangeOfFirst(field, key);
  if (first === undefined) return void (yield* scanFew(search, prefix, Infinity));
  const start = prefix.after?.id;
  let ids: Range = start === undefined ? {} : beyond(start, descending);
  for (let stride = firstStride(search, prefix);; stride = nextStride(stride)) {
    if (stride.done === 0 && (yield* scanFew(search, prefix, stride.until))) return;
    const steps = stepsOf(search, prefix, stride);
    const indexRange = { ...first, ids };
    const end = yield* probe(search, { indexRange, descending }, "id", steps);
    spendChecks(search, prefix, steps);
    if (typeof end !== "string") {
      return yield* scanIndex(search, prefix, { indexRange, descending });
    }
    const until = intersect(ids, upTo(end, descending));
    yield* scanIndex(search, prefix, { indexRange: { ...indexRange, ids: until }, descending });
    if (isFull(search)) return;
    ids = intersect(ids, beyond(end, descending));
    prefix = { ...prefix, after: { keys: prefix.fixed, id: end } };
  }
}

/** One scan: its number of steps, and how many of them are done. */
interface Stride {
  readonly until: number;
  done: number;
}

/**
 * Returns whether a scan about as long as the page probably fills it: nearly every row has the next
 * key, which is the last one, and is shown.
 */
function fillsPage({ sorts, rowSet }: RowSearch, { filter, fixed }: SortPrefix): boolean {
  const [sort, ...others] = sorts.slice(fixed.length);
  const isOfRow = sort?.field.kind === "row" && others.length === 0;
  return isOfRow && filter === undefined && !rowSet.inTrash;
}

function firstStride(search: RowSearch, prefix: SortPrefix): Stride {
  const { few, limit } = search;
  return { until: fillsPage(search, prefix) ? Math.min(few, limit) : few, done: 0 };
}

function isComplete({ until, done }: Stride): boolean {
  return done >= until;
}

/** Returns the rest of a scan, or a longer scan. */
function nextStride(stride: Stride): Stride {
  return isComplete(stride) ? { until: stride.until * GROWTH, done: 0 } : stride;
}

/** Takes the next steps of a scan, as many as one statement may do. */
function stepsOf(search: RowSearch, prefix: SortPrefix, stride: Stride): number {
  const steps = Math.min(stride.until - stride.done, portionOf(search, prefix));
  stride.done += steps;
  return steps;
}

/** Reads all remaining candidates unless a scan of `steps` costs less. Returns whether it did. */
function* scanFew(
  search: RowSearch,
  prefix: SortPrefix,
  steps: number,
  withAll = true,
): Plan<boolean> {
  const bounds = { bound: boundOf(steps), withAll };
  const few = yield* cheapestCandidates(search, prefix, bounds);
  if (few !== undefined) yield* scanCandidates(search, prefix, few);
  return few !== undefined;
}

/** Returns how many candidates cost as much as a scan. */
function boundOf(steps: number): number {
  return Math.ceil(steps / CANDIDATE_COST);
}
