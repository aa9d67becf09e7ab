/**
 * When the segments of the index of words are merged: beside requests, and between other writes.
 *
 * @module
 */
import type { WriterWorker } from "./writer_thread.ts";

/** Transactions, of which each may add a segment, after which segments are merged. */
const SEGMENTS = 16;

export interface Merges {
  /** Counts a transaction; one in so many begins to merge. */
  countWrite(): void;
}

/** Lets the other thread merge, some milliseconds at a time; `inTurn` waits until that may begin. */
export function createMerges(
  { open, merge }: Pick<WriterWorker, "open" | "merge">,
  inTurn: (merge: () => Promise<boolean>) => Promise<boolean>,
): Merges {
  let writes = 0;
  let isRunning = false;
  async function run(): Promise<void> {
    isRunning = true;
    writes = 0;
    try {
      // Other writes go on while the thread starts.
      await open();
      while (await inTurn(merge));
    } catch {
      // Nothing is lost: the next ones try again, and the next write reports a disk that fails.
    }
    isRunning = false;
  }
  return {
    countWrite() {
      if (++writes >= SEGMENTS && !isRunning) void run();
    },
  };
}
