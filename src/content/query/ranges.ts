/**
 * Ranges of numbers, keys or ids, as stores scan them.
 *
 * @module
 */
import type { Test } from "./filter.ts";
import { compareValues } from "./order.ts";

export interface Bound {
  readonly value: number | string;
  readonly excluded: boolean;
}

/** A missing end is unbounded. */
export interface Range {
  readonly from?: Bound | undefined;
  readonly to?: Bound | undefined;
}

export type Between = Extract<Test, { readonly is: "between" }>;

/** The range that contains only this value. */
export function exactly(value: number | string): Range {
  const bound = { value, excluded: false };
  return { from: bound, to: bound };
}

/** All values after this one, in this direction. */
export function beyond(value: number | string, descending: boolean): Range {
  return { [descending ? "to" : "from"]: { value, excluded: true } };
}

/** All values before this one, in this direction. */
export function before(value: number | string, descending: boolean): Range {
  return beyond(value, !descending);
}

/** All values up to and including this one, in this direction. */
export function upTo(value: number | string, descending: boolean): Range {
  return { [descending ? "from" : "to"]: { value, excluded: false } };
}

/** The numbers that pass the test. */
export function rangeOf({ from, to, fromExcluded, toExcluded }: Between): Range {
  if (from !== undefined && from === to && !fromExcluded && !toExcluded) return exactly(from);
  return {
    from: from === undefined ? from : { value: from, excluded: fromExcluded ?? false },
    to: to === undefined ? to : { value: to, excluded: toExcluded ?? false },
  };
}

/** The test that the numbers of a range pass. */
export function betweenOf({ from, to }: Range): Between {
  return {
    is: "between",
    ...(typeof from?.value === "number" && { from: from.value, fromExcluded: from.excluded }),
    ...(typeof to?.value === "number" && { to: to.value, toExcluded: to.excluded }),
  };
}

/** The values in both ranges. */
export function intersect(one: Range, other: Range): Range {
  return { from: tighter(one.from, other.from, 1), to: tighter(one.to, other.to, -1) };
}

function tighter(a: Bound | undefined, b: Bound | undefined, sign: 1 | -1): Bound | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const difference = sign * compareValues(a.value, b.value);
  if (difference === 0) return a.excluded ? a : b;
  return difference > 0 ? a : b;
}
