/**
 * Ends a page of a list early if its items are long.
 *
 * @module
 */
import { LIMITS } from "./limits.ts";

/** The items of a page, up to and including the one that fills it. */
export function fitting<T>(
  items: readonly T[],
  lengthOf: (item: T) => number,
  most: number = LIMITS.pageLength,
): readonly T[] {
  let length = 0;
  const end = items.findIndex((item) => (length += lengthOf(item)) >= most);
  return end < 0 ? items : items.slice(0, end + 1);
}
