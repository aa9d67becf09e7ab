/**
 * Merges the ranges of a filter, so that the planner of a store sees how narrow they are.
 *
 * @module
 */
import { isSameField } from "./partial_evaluation.ts";
import type { Filter } from "./filter.ts";
import { type Between, betweenOf, intersect, rangeOf } from "./ranges.ts";

type TestFilter = Extract<Filter, { readonly op: "test" }>;
type BetweenFilter = TestFilter & { readonly test: Between };

/**
 * The same filter with one range for each number field of an `and`: clients write "from" and "to"
 * as two conditions.
 */
export function mergeRanges(filter: Filter): Filter {
  if (filter.op === "not") return { op: "not", filter: mergeRanges(filter.filter) };
  if (filter.op !== "and" && filter.op !== "or") return filter;
  const filters = filter.filters.map(mergeRanges);
  if (filter.op === "or") return { op: "or", filters };
  const [only, ...others] = filters.flatMap(conjuncts).reduce(addConjunct, []);
  return only !== undefined && others.length === 0
    ? only
    : { op: "and", filters: only === undefined ? [] : [only, ...others] };
}

/** The conditions that are all true of whatever passes the filter. */
export function conjuncts(filter: Filter): readonly Filter[] {
  return filter.op === "and" ? filter.filters : [filter];
}

function addConjunct(merged: readonly Filter[], next: Filter): readonly Filter[] {
  if (!isBetween(next)) return [...merged, next];
  const index = merged.findIndex((one) => isBetween(one) && isSameField(one.field, next.field));
  const same = merged[index];
  if (same === undefined || !isBetween(same)) return [...merged, next];
  return merged.with(index, { ...same, test: intersection(same.test, next.test) });
}

function isBetween(filter: Filter): filter is BetweenFilter {
  // A computed value may have several numbers, and each range may hold for another of them.
  return filter.op === "test" && filter.test.is === "between" && filter.field.kind !== "computed";
}

/** Sound because a stored value has at most one number. */
function intersection(one: Between, other: Between): Between {
  return betweenOf(intersect(rangeOf(one), rangeOf(other)));
}
