/**
 * Dividing lists into portions of bounded length.
 *
 * @module
 */

/** Divides a list into lists of this many items; the last one may have fewer. */
export function* listsOf<Item>(items: readonly Item[], most: number): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += most) yield items.slice(at, at + most);
}

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
