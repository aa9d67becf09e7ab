/**
 * The same filter with fewer conditions, so that its ranges show how narrow they are.
 *
 * @module
 */
import { isSameField } from "./assume.ts";
import type { Filter } from "./filter.ts";
import { type Between, intersect, type Range, rangeOf } from "./ranges.ts";

type TestFilter = Extract<Filter, { readonly op: "test" }>;
type BetweenFilter = TestFilter & { readonly test: Between };

/** Joins the ranges that one number must lie in all, as a client says "from" and "to" in two conditions. */
export function tighten(filter: Filter): Filter {
  if (filter.op === "not") return { op: "not", filter: tighten(filter.filter) };
  if (filter.op !== "and" && filter.op !== "or") return filter;
  const filters = filter.filters.map(tighten);
  if (filter.op === "or") return { op: "or", filters };
  const [only, ...others] = filters.flatMap(conjuncts).reduce(withConjunct, []);
  return only !== undefined && others.length === 0
    ? only
    : { op: "and", filters: only === undefined ? [] : [only, ...others] };
}

function conjuncts(filter: Filter): readonly Filter[] {
  return filter.op === "and" ? filter.filters : [filter];
}

function withConjunct(joined: readonly Filter[], next: Filter): readonly Filter[] {
  if (!isBetween(next)) return [...joined, next];
  const index = joined.findIndex((one) => isBetween(one) && isSameField(one.field, next.field));
  const same = joined[index];
  if (same === undefined || !isBetween(same)) return [...joined, next];
  return joined.with(index, { ...same, test: inBoth(same.test, next.test) });
}

function isBetween(filter: Filter): filter is BetweenFilter {
  // What is computed may have several numbers.
  return filter.op === "test" && filter.test.is === "between" && filter.field.kind !== "computed";
}

/** Sound because a kept value has at most one number. */
function inBoth(one: Between, other: Between): Between {
  return betweenOf(intersect(rangeOf(one), rangeOf(other)));
}

function betweenOf({ from, to }: Range): Between {
  return {
    is: "between",
    ...(typeof from?.value === "number" && { from: from.value, fromExcluded: from.excluded }),
    ...(typeof to?.value === "number" && { to: to.value, toExcluded: to.excluded }),
  };
}
