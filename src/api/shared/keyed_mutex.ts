/**
 * A mutex for each key: work under one key runs one after the other, in order of arrival.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";
import { createHistogram, type Histogram } from "../../shared/histogram.ts";

/**
 * Runs work after all earlier work under the same key has settled. Throws `service_unavailable` if
 * that takes too long.
 */
export interface KeyedMutex {
  <T>(key: string, work: () => Promise<T>): Promise<T>;
  /** How long work waited that had to. */
  readonly waits: Histogram;
}

/** Milliseconds to wait: short enough that the client learns in time that nothing was done. */
const PATIENCE = 12_000;

/** Creates a mutex for this process. Other processes are not excluded. */
export function createKeyedMutex(patience = PATIENCE): KeyedMutex {
  const ends = new Map<string, Promise<void>>();
  const waits = createHistogram();
  const run = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = ends.get(key);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    ends.set(key, end);
    const leave = (): void => {
      if (ends.get(key) === end) ends.delete(key);
      resolve();
    };
    const began = performance.now();
    const isMine = before === undefined || await settlesWithin(before, patience);
    if (before !== undefined) waits.observe(performance.now() - began);
    if (!isMine) {
      // Lets the next one in when this one's turn comes.
      void before?.then(leave);
      throw new AppError(
        "service_unavailable",
        "Another write to this workspace is taking long: try again",
        {
          headers: { "retry-after": "5" },
        },
      );
    }
    try {
      return await work();
    } finally {
      leave();
    }
  };
  return Object.assign(run, { waits });
}

async function settlesWithin(work: Promise<void>, time: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), time);
  const isDone = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return isDone;
}
