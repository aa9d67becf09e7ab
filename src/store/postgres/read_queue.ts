/**
 * The turns of reads that keep a connection to themselves, before they get one: the reads of one
 * workspace leave connections to those of others, and all reads leave one to the writes.
 *
 * @module
 */
import { createFairQueue, type QueueUser } from "../../shared/fair_queue.ts";

/** Whose turn a read takes, as far as that is known. */
export type Reader = { readonly [Key in keyof QueueUser]?: QueueUser[Key] | undefined };

export interface ReadQueue {
  /** Runs a read when it is the reader's turn. */
  run<T>(reader: Reader, read: () => Promise<T>): Promise<T>;
  /** Number of reads that wait. */
  waiting(): number;
}

/** Reads of one user that may wait. */
const WAITING = 256;
/** Milliseconds: as long as a request may take, so that nobody waits for a read that is rejected. */
const PATIENCE = 30_000;

/** Creates the queue before this many connections. */
export function createReadQueue(connections: number): ReadQueue {
  const perWorkspace = Math.max(1, connections - 2);
  const queue = createFairQueue({
    concurrency: Math.max(1, connections - 1),
    perWorkspace,
    perUser: perWorkspace,
    maxWaiting: WAITING,
    maxWait: PATIENCE,
    busyMessage: "Too many reads wait for the database: try again",
  });
  return {
    run: ({ workspace = "", userId = "" }, read) => queue.run({ workspace, userId }, read),
    waiting: queue.waiting,
  };
}
