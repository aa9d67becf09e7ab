/**
 * The segments of the index of words: FTS5 adds one with each transaction, and a search looks into each
 * of them, so they are merged.
 *
 * @module
 */
import type { Connection } from "../connection.ts";
import { type Query, query } from "../query.ts";

/** Merges, each as one transaction; they return whether there is more to do. */
export interface SegmentMerges {
  /** Merges segments of like size for some milliseconds, if there are many. */
  merge(): boolean;
  /**
   * Merges some, also a single one of which much was removed. Removed parts are read in one go, however
   * long a run of them is.
   */
  mergeRemoved(): boolean;
}

/**
 * Pages of the index of words that a step writes: some milliseconds, unless most words are removed.
 */
const PAGES = 64;
/** Milliseconds after which `merge()` begins no other step. */
const TIME = 25;
/** Percentage of removed parts from which on a segment is merged. */
const REMOVED = 10;
/** FTS5 says so: below two changes it found nothing to merge. */
const MERGING = 2;

/** Prepares the commands that merge. */
export function createSegmentMerges({ db, transaction }: Connection): SegmentMerges {
  // Literals, because FTS5 takes no number that is bound as a real one.
  const command = (name: string, value: number) =>
    db.prepare(`INSERT INTO search_words (search_words, rank) VALUES ('${name}', ${value})`);
  const [enable, disable] = [command("deletemerge", REMOVED), command("deletemerge", 0)];
  const pages = command("merge", PAGES);
  const changes: Query<[number]> = query(db, "SELECT total_changes()");
  const count = () => changes.get()?.[0] ?? 0;
  function step(): boolean {
    const before = count();
    pages.run();
    return count() - before >= MERGING;
  }
  return {
    merge: () =>
      transaction(() => {
        const end = performance.now() + TIME;
        while (step()) if (performance.now() >= end) return true;
        return false;
      }),
    mergeRemoved: () =>
      transaction(() => {
        enable.run();
        const isMerging = step();
        disable.run();
        return isMerging;
      }),
  };
}
