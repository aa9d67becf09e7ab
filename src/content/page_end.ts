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

/** The same and one item more, which tells that there is another page; reads no further. */
export function* fittingAndNext<T>(
  items: Iterable<T>,
  lengthOf: (item: T) => number,
  most: number = LIMITS.pageLength,
): Iterable<T> {
  let length = 0;
  for (const item of items) {
    yield item;
    if (length >= most) return;
    length += lengthOf(item);
  }
}
