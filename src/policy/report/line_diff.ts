/**
 * The lines that differ between two texts.
 *
 * @module
 */

/** Beyond this many comparisons, all lines in between count as changed. */
const MAX_COMPARISONS = 4_000_000;

/** Returns the lines to remove and to add, each with its number: `  12 - "a": 1`. */
export function lineDiff(before: string, after: string): string {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  const start = commonPrefix(old, fresh);
  const end = commonPrefix(old.slice(start).reverse(), fresh.slice(start).reverse());
  const kept = commonLines(
    old.slice(start, old.length - end),
    fresh.slice(start, fresh.length - end),
  );
  const lines: string[] = [];
  let [a, b] = [start, start];
  for (const pair of [...kept, [old.length - end - start, fresh.length - end - start] as const]) {
    for (; a < pair[0] + start; a++) lines.push(lineOf(a, "-", old));
    for (; b < pair[1] + start; b++) lines.push(lineOf(b, "+", fresh));
    [a, b] = [a + 1, b + 1];
  }
  return lines.join("");
}

function lineOf(index: number, sign: "-" | "+", lines: readonly string[]): string {
  return `${String(index + 1).padStart(5)} ${sign} ${lines[index]}\n`;
}

function commonPrefix(a: readonly string[], b: readonly string[]): number {
  const index = a.findIndex((line, at) => line !== b[at]);
  return index < 0 ? Math.min(a.length, b.length) : index;
}

/** Returns the indexes of a longest common subsequence, in order. */
function commonLines(
  a: readonly string[],
  b: readonly string[],
): (readonly [a: number, b: number])[] {
  if (a.length * b.length > MAX_COMPARISONS) return [];
  // lengths[i][j]: the longest for the lines from i and from j on.
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    const row = lengths[i];
    for (let j = b.length - 1; row !== undefined && j >= 0; j--) {
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
