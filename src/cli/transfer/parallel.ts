/**
 * Bounded parallel work.
 *
 * @module
 */

/**
 * Runs `work` on every item, on at most `limit` at a time, and takes an item only when one of them
 * is free. After the first rejection it takes no more, waits for those that run, and rejects.
 */
export async function forEachParallel<T>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items
    ? items[Symbol.asyncIterator]()
    : items[Symbol.iterator]();
  let isStopped = false;
  // An async generator queues calls of `next()`, so runners may share one iterator.
  const run = async (): Promise<void> => {
    while (!isStopped) {
      const { done, value } = await iterator.next();
      if (done) return;
      try {
        await work(value);
      } catch (error) {
        isStopped = true;
        throw error;
      }
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: limit }, run));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed === undefined) return;
  await iterator.return?.();
  throw failed.reason;
}
