/**
 * Taking turns: work under one key is done one after the other, in the order it came.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";

/**
 * Runs work when all earlier work under the same key has ended, well or badly; throws
 * `service_unavailable` where that takes too long.
 */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Milliseconds. A request that gives up here has done nothing, and its client is told so in time. */
const PATIENCE = 12_000;

/** Turns of this process; no other process waits for them. */
export function createKeyedMutex(patience = PATIENCE): KeyedMutex {
  const ends = new Map<string, Promise<void>>();
  return async (key, work) => {
    const before = ends.get(key);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    ends.set(key, end);
    const leave = (): void => {
      if (ends.get(key) === end) ends.delete(key);
      resolve();
    };
    if (before !== undefined && !await settlesWithin(before, patience)) {
      // The turn goes by when it comes.
      void before.then(leave);
      throw new AppError(
        "service_unavailable",
        "A long change of this workspace is under way: try again",
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
}

async function settlesWithin(work: Promise<void>, time: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), time);
  const isDone = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return isDone;
}
