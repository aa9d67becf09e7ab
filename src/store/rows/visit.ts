/**
 * The choice of plan: stage by stage in the order of the sorts, each by the index that has fewer
 * rows to look at, until the page is full.
 *
 * @module
 */
import type { Sort, SortKey } from "../../content/query/filter.ts";
import { compareKeys } from "../../content/query/order.ts";
import { before, beyond, intersect, type Range, upTo } from "../../content/query/ranges.ts";
import { fewest } from "./candidates.ts";
import {
  type IndexedField,
  type Lane,
  laneOf,
  laneOfKey,
  rangeIn,
  spanOfKey,
  type ValueSpan,
} from "./spans.ts";
import type { Plan } from "./reading.ts";
import { isFull, isSingle, type Search, type Stage, stageOf } from "./stage.ts";
import { meet } from "./meet.ts";
import { portionOf, spendLooks } from "./portions.ts";
import { gather, walk } from "./steps.ts";

/** How much longer each walk is than the one before. */
const GROWTH = 4;
/** Steps of a walk that cost what one candidate does: its node and its keys lie elsewhere. */
const CANDIDATE_COST = 2;
/** Stages that sorts with few values may unfold to. */
const MAX_WIDTH = 1_000;

/** Adds the rows of a stage in order. */
export function* visit(search: Search, stage: Stage): Plan<void> {
  if (isFull(search)) return;
  const sort = search.sorts[stage.fixed.length];
  if (sort === undefined) return yield* walkIds(search, stage);
  if (yield* gatherFew(search, stage, search.few)) return;
  const width = stage.width * (sort.values?.length ?? 0);
  // The first sort is unfolded in any case: else all rows would be looked at.
  const unfolds = sort.values !== undefined && (stage.width === 1 || width <= MAX_WIDTH);
  if (unfolds) return yield* unfold(search, { ...stage, width }, sort);
  const { field } = sort;
  const isWalkable = sort.values === undefined && (field.kind === "cells" || field.kind === "row");
  if (isWalkable) return yield* walkValues(search, stage, { ...sort, field });
  yield* gatherFew(search, stage, Infinity);
}

/** Value by value: there are few of them, and many rows of each. */
function* unfold(search: Search, stage: Stage, sort: Sort): Plan<void> {
  const values = sort.values?.map(({ number, key }) => number ?? key) ?? [];
  const keys = [...(sort.descending ? values.toReversed() : values), null];
  const start = stage.after?.keys[stage.fixed.length];
  for (const key of keys) {
    if (start === undefined || compareKeys(sort)(key, start) >= 0) {
      yield* enter(search, stage, sort, key);
    }
  }
}

function* enter(search: Search, stage: Stage, sort: Sort, key: SortKey): Plan<void> {
  const inner = stageOf(stage, sort, key);
  if (inner !== undefined) yield* visit(search, inner);
}

type IndexedSort = Sort & { readonly field: IndexedField };

/** Values in the order of their index, at last the rows without one. */
function* walkValues(search: Search, stage: Stage, sort: IndexedSort): Plan<void> {
  const start = stage.after?.keys[stage.fixed.length];
  if (start !== undefined && start !== null && stage.after?.id !== undefined) {
    yield* enter(search, stage, sort, start);
  }
  if (start !== null) {
    for (const [index, lane] of lanesFrom(sort, start).entries()) {
      const from = index === 0 ? start : undefined;
      if (isFull(search) || (yield* walkLane(search, stage, { sort, lane, start: from }))) return;
    }
  }
  if (sort.field.kind === "cells") yield* enter(search, stage, sort, null);
}

/** The lanes of values in order, from that of the value on. */
function lanesFrom(
  { field, descending }: IndexedSort,
  start: SortKey | undefined,
): readonly Lane[] {
  if (field.kind === "row") return [laneOf(field.member)];
  const lanes: readonly Lane[] = descending ? ["key", "number"] : ["number", "key"];
  return start === undefined ? lanes : lanes.slice(lanes.indexOf(laneOfKey(start)));
}

interface LaneWalk {
  readonly sort: IndexedSort;
  readonly lane: Lane;
  /** Behind this value, which is one of the lane. */
  readonly start: number | string | undefined;
}

/**
 * Walks ever longer, each time asking whether all that is left had better be gathered; so neither way
 * costs much more than the better one. Answers whether it was gathered.
 */
function* walkLane(search: Search, stage: Stage, { sort, lane, start }: LaneWalk): Plan<boolean> {
  const { field, descending } = sort;
  let range = isSingle(sort) ? rangeIn(lane, field, stage.filter) : {};
  if (range === undefined) return false;
  if (start !== undefined) range = intersect(range, beyond(start, descending));
  for (let stride = firstStride(search);; stride = nextStride(stride)) {
    const steps = stepsOf(search, stage, stride);
    const span: ValueSpan = { field, lane, range };
    const ahead = [1, steps, steps + Math.min(steps, search.few)];
    const [next, end, far] = yield* meet(search, { span, descending }, "value", ahead);
    if (next === undefined) return false;
    // Those with the last value may be many; then they are a stage of their own.
    const areFew = end !== far;
    const until = areFew ? upTo : before;
    const walked = end === undefined ? range : intersect(range, until(end, descending));
    spendLooks(search, stage, steps);
    yield* walk(search, stage, { span: { ...span, range: walked }, descending });
    if (end === undefined || isFull(search)) return false;
    if (!areFew) yield* enter(search, { ...stage, after: undefined }, sort, end);
    if (isFull(search)) return false;
    range = intersect(range, beyond(end, descending));
    const rest = { ...stage, after: { keys: [...stage.fixed, end] } };
    if (isWalked(stride) && (yield* gatherFew(search, rest, stride.until * GROWTH))) return true;
  }
}

/** The rows of a stage whose keys are all known, by id. */
function* walkIds(search: Search, stage: Stage): Plan<void> {
  const sort = search.sorts.at(-1);
  const key = stage.fixed.at(-1);
  if (sort === undefined || key === undefined) return;
  const { field, descending } = sort;
  if (field.kind === "links" || field.kind === "computed") return;
  const start = stage.after?.id;
  let ids: Range = start === undefined ? {} : beyond(start, descending);
  for (let stride = firstStride(search);; stride = nextStride(stride)) {
    if (stride.walked === 0 && (yield* gatherFew(search, stage, stride.until))) return;
    const steps = stepsOf(search, stage, stride);
    const span = { ...spanOfKey(field, key), ids };
    const [end] = yield* meet(search, { span, descending }, "id", [steps]);
    spendLooks(search, stage, steps);
    if (typeof end !== "string") return yield* walk(search, stage, { span, descending });
    const until = intersect(ids, upTo(end, descending));
    yield* walk(search, stage, { span: { ...span, ids: until }, descending });
    if (isFull(search)) return;
    ids = intersect(ids, beyond(end, descending));
    stage = { ...stage, after: { keys: stage.fixed, id: end } };
  }
}

/** One walk of so many steps, and how many of them are done. */
interface Stride {
  readonly until: number;
  walked: number;
}

function firstStride({ few }: Search): Stride {
  return { until: few, walked: 0 };
}

function isWalked({ until, walked }: Stride): boolean {
  return walked >= until;
}

/** What is left of a walk, or another one that is longer. */
function nextStride(stride: Stride): Stride {
  return isWalked(stride) ? { until: stride.until * GROWTH, walked: 0 } : stride;
}

/** Takes the next steps of a walk, as many as one statement may do. */
function stepsOf(search: Search, stage: Stage, stride: Stride): number {
  const steps = Math.min(stride.until - stride.walked, portionOf(search, stage));
  stride.walked += steps;
  return steps;
}

/** Gathers what is left of a stage, unless a walk of so many steps costs less. */
function* gatherFew(search: Search, stage: Stage, steps: number): Plan<boolean> {
  const few = yield* fewest(search, stage, Math.ceil(steps / CANDIDATE_COST));
  if (few !== undefined) yield* gather(search, stage, few);
  return few !== undefined;
}
