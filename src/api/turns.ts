/**
 * Taking turns: work under one key is done one after the other, in the order it came.
 *
 * @module
 */

/** Runs work when all earlier work under the same key has ended, well or badly. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Turns of this process; no other process waits for them. */
export function createTurns(): Turns {
  const ends = new Map<string, Promise<void>>();
  return async (key, work) => {
    const before = ends.get(key);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    ends.set(key, end);
    await before;
    try {
      return await work();
    } finally {
      if (ends.get(key) === end) ends.delete(key);
      resolve();
    }
  };
}
