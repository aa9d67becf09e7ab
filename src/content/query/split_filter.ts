/**
 * Splits a filter into the part that a store evaluates and the part that needs computed values.
 *
 * @module
 */
import type { Filter } from "./filter.ts";

/** A row matches the filter if it matches both parts; a missing part matches every row. */
export interface SplitFilter {
  /** Reads no computed property, so a store can evaluate it. */
  readonly pushdown?: Filter | undefined;
  /** The rest, which is evaluated in memory. */
  readonly residual?: Filter | undefined;
}

/** Conditions of `pushdown` at most: to prepare a statement takes longer with each. */
const MOST_STORED = 200;
/** Conditions that count as one that goes through a text: a store reads a long one for each of them. */
const CONDITIONS_PER_PASS = 20;

/** Splits a filter, with as much of it in `pushdown` as every matching row must match. */
export function splitFilter(filter: Filter): SplitFilter {
  const whole = splitWhole(filter);
  const { pushdown, residual } = whole;
  if (pushdown === undefined || countOf(pushdown) <= MOST_STORED) return whole;
  const parts = pushdown.op === "and" ? pushdown.filters : [pushdown];
  let count = 0;
  const fits = parts.map((part) => (count += countOf(part)) <= MOST_STORED);
  const others = parts.filter((_, index) => !fits[index]);
  return {
    pushdown: join("and", parts.filter((_, index) => fits[index])),
    residual: join("and", residual === undefined ? others : [...others, residual]),
  };
}

function countOf(filter: Filter): number {
  switch (filter.op) {
    case "and":
    case "or":
      return filter.filters.reduce((sum, part) => sum + countOf(part), 0);
    case "not":
      return countOf(filter.filter);
    case "test": {
      const { test } = filter;
      const isPass = test.is === "text" && (test.how === "contains" || test.how === "ends");
      return isPass ? CONDITIONS_PER_PASS : 1;
    }
    case "items":
      return 1;
  }
}

/** Splits a filter of any number of conditions. */
function splitWhole(filter: Filter): SplitFilter {
  if (isStored(filter)) return { pushdown: filter };
  if (filter.op === "and") {
    const parts = filter.filters.map(splitWhole);
    return {
      pushdown: join("and", parts.flatMap(({ pushdown }) => pushdown ?? [])),
      residual: join("and", parts.flatMap(({ residual }) => residual ?? [])),
    };
  }
  if (filter.op !== "or") return { residual: filter };
  const alternatives = filter.filters.flatMap((part) => splitWhole(part).pushdown ?? []);
  // An alternative that a store cannot evaluate at all may match any row.
  const isComplete = alternatives.length === filter.filters.length;
  return { pushdown: isComplete ? join("or", alternatives) : undefined, residual: filter };
}

function isStored(filter: Filter): boolean {
  switch (filter.op) {
    case "and":
    case "or":
      return filter.filters.every(isStored);
    case "not":
      return isStored(filter.filter);
    case "test":
      return filter.field.kind !== "computed";
    case "items":
      return false;
  }
}

function join(op: "and" | "or", filters: readonly Filter[]): Filter | undefined {
  return filters.length > 1 ? { op, filters } : filters[0];
}
