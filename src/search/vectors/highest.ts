/**
 * Selects the items with the highest scores, without sorting all items.
 *
 * @module
 */

/** The items with the highest scores so far. A repeated item counts with its highest score. */
export interface Highest {
  /** Items with a lower score cannot be among the highest any more. */
  readonly least: number;
  add(item: number, score: number): void;
  /** Returns the items, highest first. */
  items(): number[];
}

interface Scored {
  readonly item: number;
  readonly score: number;
}

/** Selects at most `limit` items; `compare` orders equal scores. */
export function createHighest(
  limit: number,
  compare: (item: number, other: number) => number,
): Highest {
  let candidates: Scored[] = [];
  let least = -Infinity;

  function trim(): void {
    const seen = new Set<number>();
    const isFirst = ({ item }: Scored) => !seen.has(item) && seen.add(item);
    candidates.sort((a, b) => b.score - a.score || compare(a.item, b.item));
    candidates = candidates.filter(isFirst).slice(0, limit);
    if (candidates.length === limit) least = candidates.at(-1)?.score ?? least;
  }

  return {
    get least() {
      return least;
    },
    add: (item, score) => {
      candidates.push({ item, score });
      // Sorting now and then costs less than keeping the list sorted.
      if (candidates.length >= 4 * limit) trim();
    },
    items: () => {
      trim();
      return candidates.map(({ item }) => item);
    },
  };
}
