/**
 * Things that are lent to one user at a time.
 *
 * @module
 */
import { AppError } from "../../errors.ts";

export interface Pool<T> {
  /** Lends an item to the work, when one is free; throws `service_unavailable` where none becomes so. */
  use<R>(work: (item: T) => Promise<R>): Promise<R>;
}

/** Whoever came first is lent the next item; `patience` is in milliseconds. */
export function createPool<T>(items: readonly T[], patience: number): Pool<T> {
  const free = [...items];
  const waiting = new Set<(item: T) => void>();
  const take = (): Promise<T> => {
    const item = free.pop();
    if (item !== undefined) return Promise.resolve(item);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const timer = setTimeout(() => {
      waiting.delete(serve);
      reject(exhausted());
    }, patience);
    const serve = (next: T): void => {
      clearTimeout(timer);
      resolve(next);
    };
    waiting.add(serve);
    return promise;
  };
  const give = (item: T): void => {
    const [next] = waiting;
    if (next === undefined) return void free.push(item);
    waiting.delete(next);
    next(item);
  };
  return {
    async use(work) {
      const item = await take();
      try {
        return await work(item);
      } finally {
        give(item);
      }
    },
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
