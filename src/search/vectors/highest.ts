/**
 * The best of many without sorting all.
 *
 * @module
 */

/** Keeps the items with the highest scores; one that comes more than once counts with its highest. */
export interface Highest {
  /** A lower score is too low by now. */
  readonly least: number;
  add(item: number, score: number): void;
  /** The items, highest first. */
  items(): number[];
}

interface Scored {
  readonly item: number;
  readonly score: number;
}

/** Keeps at most `limit`; `compare` decides between equals. */
export function createHighest(
  limit: number,
  compare: (item: number, other: number) => number,
): Highest {
  let found: Scored[] = [];
  let least = -Infinity;

  function trim(): void {
    const seen = new Set<number>();
    const isFirst = ({ item }: Scored) => !seen.has(item) && seen.add(item);
    found.sort((a, b) => b.score - a.score || compare(a.item, b.item));
    found = found.filter(isFirst).slice(0, limit);
    if (found.length === limit) least = found.at(-1)?.score ?? least;
  }

  return {
    get least() {
      return least;
    },
    add: (item, score) => {
      found.push({ item, score });
      // Sorted once in a while, which costs less than to keep it sorted.
      if (found.length >= 4 * limit) trim();
    },
    items: () => {
      trim();
      return found.map(({ item }) => item);
    },
  };
}
