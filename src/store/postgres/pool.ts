/**
 * A pool of items, each used by one caller at a time.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";
import type { PoolState } from "../store_metrics.ts";

export interface Pool<T> {
  /**
   * Lends the work the next free item; throws `service_unavailable` if none becomes free in time.
   * Urgent work gets the next item that becomes free.
   */
  use<R>(work: (item: T) => Promise<R>, urgency?: "urgent"): Promise<R>;
  readonly state: () => PoolState;
}

/**
 * Creates a first-in, first-out pool; `patience` is in milliseconds. `onWait` is told how long work
 * waited for an item.
 */
export function createPool<T>(
  items: readonly T[],
  patience: number,
  onWait: (milliseconds: number) => void = () => {},
): Pool<T> {
  const free = [...items];
  const waiting = new Set<(item: T) => void>();
  const urgent = new Set<(item: T) => void>();
  const take = (queue: Set<(item: T) => void>): Promise<T> => {
    const item = free.pop();
    if (item !== undefined) return Promise.resolve(item);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const timer = setTimeout(() => {
      queue.delete(serve);
      reject(exhausted());
    }, patience);
    const serve = (next: T): void => {
      clearTimeout(timer);
      resolve(next);
    };
    queue.add(serve);
    return promise;
  };
  const give = (item: T): void => {
    const [next] = urgent.size > 0 ? urgent : waiting;
    if (next === undefined) return void free.push(item);
    urgent.delete(next);
    waiting.delete(next);
    next(item);
  };
  return {
    async use(work, urgency) {
      const began = performance.now();
      const item = await take(urgency === "urgent" ? urgent : waiting);
      onWait(performance.now() - began);
      try {
        return await work(item);
      } finally {
        give(item);
      }
    },
    state: () => ({
      size: items.length,
      busy: items.length - free.length,
      waiting: waiting.size + urgent.size,
    }),
  };
}

function exhausted(): AppError {
  return new AppError(
    "service_unavailable",
    "All connections to the database are busy: try again",
    {
      headers: { "retry-after": "1" },
    },
  );
}
