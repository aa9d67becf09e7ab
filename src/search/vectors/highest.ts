/**
 * The best of many without sorting all.
 *
 * @module
 */

/** Of the places whose score is a number those with the highest, highest first; `compare` decides between equals. */
export function highest(
  scores: Float32Array,
  limit: number,
  compare: (place: number, other: number) => number,
): number[] {
  let found: number[] = [];
  let least = -Infinity;
  const order = (a: number, b: number) => (scores[b] ?? 0) - (scores[a] ?? 0) || compare(a, b);
  for (let place = 0; place < scores.length; place++) {
    if (!((scores[place] ?? 0) >= least)) continue;
    found.push(place);
    // Sorted once in a while, which costs less than to keep it sorted.
    if (found.length < 4 * limit) continue;
    found = found.sort(order).slice(0, limit);
    least = scores[found.at(-1) ?? 0] ?? 0;
  }
  return found.sort(order).slice(0, limit);
}
