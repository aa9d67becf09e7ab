/**
 * Dividing lists into portions of bounded length.
 *
 * @module
 */

/** Divides items by their length; each portion but the last has at least `most`. */
export function portionsByLength<Item>(
  items: readonly Item[],
  lengthOf: (item: Item) => number,
  most: number,
): Item[][] {
  const portions: Item[][] = [];
  let length = Infinity;
  for (const item of items) {
    if (length >= most) {
      portions.push([]);
      length = 0;
    }
    portions.at(-1)?.push(item);
    length += lengthOf(item);
  }
  return portions;
}
