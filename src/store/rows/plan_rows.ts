/**
 * The choice of plan: stage by stage in the order of the sorts, each by the index that has fewer
 * rows to look at, until the page is full.
 *
 * @module
 */
import type { Sort, SortKey } from "../../content/query/filter.ts";
import { compareKeys } from "../../content/query/order.ts";
import { before, beyond, intersect, type Range, upTo } from "../../content/query/ranges.ts";
import { cheapestCandidates } from "./candidates.ts";
import {
  type IndexedField,
  rangeOfKey,
  rangeWithin,
  type ValueClass,
  valueClassOf,
  valueClassOfKey,
  type ValueRange,
} from "./index_ranges.ts";
import type { Plan } from "../plan.ts";
import { isFull, isSingle, nextPrefix, type RowSearch, type SortPrefix } from "./sort_prefix.ts";
import { probe } from "./probe.ts";
import { portionOf, spendLooks } from "./portions.ts";
import { scanCandidates, scanIndex } from "./steps.ts";

/** How much longer each walk is than the one before. */
const GROWTH = 4;
/** Steps of a walk that cost what one candidate does: its node and its keys lie elsewhere. */
const CANDIDATE_COST = 2;
/** Stages that sorts with few values may unfold to. */
const MAX_WIDTH = 1_000;

/** Adds the rows of a stage in order. */
export function* planRows(search: RowSearch, prefix: SortPrefix): Plan<void> {
  if (isFull(search)) return;
  const sort = search.sorts[prefix.fixed.length];
  if (sort === undefined) return yield* scanIds(search, prefix);
  if (yield* scanFew(search, prefix, search.few)) return;
  const width = prefix.width * (sort.values?.length ?? 0);
  // The first sort is unfolded in any case: else all rows would be looked at.
  const unfolds = sort.values !== undefined && (prefix.width === 1 || width <= MAX_WIDTH);
  if (unfolds) return yield* unfold(search, { ...prefix, width }, sort);
  const { field } = sort;
  const isWalkable = sort.values === undefined && (field.kind === "cells" || field.kind === "row");
  if (isWalkable) return yield* scanValues(search, prefix, { ...sort, field });
  yield* scanFew(search, prefix, Infinity);
}

/** Value by value: there are few of them, and many rows of each. */
function* unfold(search: RowSearch, prefix: SortPrefix, sort: Sort): Plan<void> {
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

/** Values in the order of their index, at last the rows without one. */
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

/** The lanes of values in order, from that of the value on. */
function valueClassesFrom(
  { field, descending }: IndexedSort,
  start: SortKey | undefined,
): readonly ValueClass[] {
  if (field.kind === "row") return [valueClassOf(field.member)];
  const lanes: readonly ValueClass[] = descending ? ["key", "number"] : ["number", "key"];
  return start === undefined ? lanes : lanes.slice(lanes.indexOf(valueClassOfKey(start)));
}

interface ValueClassScan {
  readonly sort: IndexedSort;
  readonly valueClass: ValueClass;
  /** Behind this value, which is one of the lane. */
  readonly start: number | string | undefined;
}

/**
 * Walks ever longer, each time asking whether all that is left had better be gathered; so neither way
 * costs much more than the better one. Answers whether it was gathered.
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
  for (let stride = firstStride(search);; stride = nextStride(stride)) {
    const steps = stepsOf(search, prefix, stride);
    const span: ValueRange = { field, valueClass, range };
    const ahead = [1, steps, steps + Math.min(steps, search.few)];
    const [next, end, far] = yield* probe(search, { span, descending }, "value", ahead);
    if (next === undefined) return false;
    // Those with the last value may be many; then they are a stage of their own.
    const areFew = end !== far;
    const until = areFew ? upTo : before;
    const walked = end === undefined ? range : intersect(range, until(end, descending));
    spendLooks(search, prefix, steps);
    yield* scanIndex(search, prefix, { span: { ...span, range: walked }, descending });
    if (end === undefined || isFull(search)) return false;
    if (!areFew) yield* descend(search, { ...prefix, after: undefined }, sort, end);
    if (isFull(search)) return false;
    range = intersect(range, beyond(end, descending));
    const rest = { ...prefix, after: { keys: [...prefix.fixed, end] } };
    if (isWalked(stride) && (yield* scanFew(search, rest, stride.until * GROWTH))) return true;
  }
}

/** The rows of a stage whose keys are all known, by id. */
function* scanIds(search: RowSearch, prefix: SortPrefix): Plan<void> {
  const sort = search.sorts.at(-1);
  const key = prefix.fixed.at(-1);
  if (sort === undefined || key === undefined) return;
  const { field, descending } = sort;
  if (field.kind === "links" || field.kind === "computed") return;
  const start = prefix.after?.id;
  let ids: Range = start === undefined ? {} : beyond(start, descending);
  for (let stride = firstStride(search);; stride = nextStride(stride)) {
    if (stride.walked === 0 && (yield* scanFew(search, prefix, stride.until))) return;
    const steps = stepsOf(search, prefix, stride);
    const span = { ...rangeOfKey(field, key), ids };
    const [end] = yield* probe(search, { span, descending }, "id", [steps]);
    spendLooks(search, prefix, steps);
    if (typeof end !== "string") return yield* scanIndex(search, prefix, { span, descending });
    const until = intersect(ids, upTo(end, descending));
    yield* scanIndex(search, prefix, { span: { ...span, ids: until }, descending });
    if (isFull(search)) return;
    ids = intersect(ids, beyond(end, descending));
    prefix = { ...prefix, after: { keys: prefix.fixed, id: end } };
  }
}

/** One walk of so many steps, and how many of them are done. */
interface Stride {
  readonly until: number;
  walked: number;
}

function firstStride({ few }: RowSearch): Stride {
  return { until: few, walked: 0 };
}

function isWalked({ until, walked }: Stride): boolean {
  return walked >= until;
}

/** The rest of a walk, or a longer one. */
function nextStride(stride: Stride): Stride {
  return isWalked(stride) ? { until: stride.until * GROWTH, walked: 0 } : stride;
}

/** Takes the next steps of a walk, as many as one statement may do. */
function stepsOf(search: RowSearch, prefix: SortPrefix, stride: Stride): number {
  const steps = Math.min(stride.until - stride.walked, portionOf(search, prefix));
  stride.walked += steps;
  return steps;
}

/** Gathers what is left of a stage, unless a walk of so many steps costs less. */
function* scanFew(search: RowSearch, prefix: SortPrefix, steps: number): Plan<boolean> {
  const few = yield* cheapestCandidates(search, prefix, Math.ceil(steps / CANDIDATE_COST));
  if (few !== undefined) yield* scanCandidates(search, prefix, few);
  return few !== undefined;
}
