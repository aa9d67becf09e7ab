/**
 * Pings of a blob store, which monitors ask for more often than it should be used.
 *
 * @module
 */

/** Milliseconds for which the result of a ping is cached. */
const MAX_AGE = 5_000;

/**
 * Wraps a ping, which gets the time of the call. Calls share a ping that runs, however long it
 * takes, and its result until that is too old.
 */
export function cachePing(
  ping: (time: number) => Promise<void>,
  now: () => number,
): () => Promise<void> {
  let startedAt = -Infinity;
  let isRunning = false;
  let result = Promise.resolve();
  return () => {
    const time = now();
    // Absolute, because a clock that is set back must not extend the age.
    if (isRunning || Math.abs(time - startedAt) < MAX_AGE) return result;
    startedAt = time;
    isRunning = true;
    result = ping(time).finally(() => {
      isRunning = false;
    });
    return result;
  };
}
