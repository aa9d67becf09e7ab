/**
 * Where a page of a list ends before it has as many items as it may: long items fill it.
 *
 * @module
 */
import { LIMITS } from "./limits.ts";

/** The items of a page: up to the one with which it is full. */
export function fitting<T>(
  items: readonly T[],
  lengthOf: (item: T) => number,
  most: number = LIMITS.pageLength,
): readonly T[] {
  let length = 0;
  const end = items.findIndex((item) => (length += lengthOf(item)) >= most);
  return end < 0 ? items : items.slice(0, end + 1);
}
