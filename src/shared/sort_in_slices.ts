/**
 * Sorting long lists with pauses, because a sort that runs to its end takes as long as its list is
 * long.
 *
 * @module
 */

/** Items that are sorted or merged in one slice. */
const SLICE = 1_000;

type Compare<T> = (a: T, b: T) => number;
type Rest = () => Promise<void> | undefined;

/** Returns the items in order; equal ones stay in theirs. Calls `rest` between two slices. */
export async function sortInSlices<T>(
  items: readonly T[],
  compare: Compare<T>,
  rest: Rest = () => undefined,
): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += SLICE) {
    runs.push(items.slice(at, at + SLICE).sort(compare));
    await rest();
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await merge([runs[at] ?? [], runs[at + 1] ?? []], compare, rest));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  [first, second]: readonly [readonly T[], readonly T[]],
  compare: Compare<T>,
  rest: Rest,
): Promise<readonly T[]> {
  const merged: T[] = [];
  const length = first.length + second.length;
  let [a, b] = [0, 0];
  while (merged.length < length) {
    const end = Math.min(length, merged.length + SLICE);
    while (merged.length < end) {
      // Sound because the items are only read within their runs.
      const isFirst = b === second.length ||
        (a < first.length && compare(first[a] as T, second[b] as T) <= 0);
      merged.push((isFirst ? first[a++] : second[b++]) as T);
    }
    await rest();
  }
  return merged;
}
