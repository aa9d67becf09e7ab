/**
 * One time limit for all requests in flight, under a single timer.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";

export interface Deadlines {
  /**
   * The outcome of work begun at `started` (monotonic milliseconds), or `gateway_timeout` where that
   * takes longer than the limit and `isFree` does not say that it may.
   */
  run<T>(work: Promise<T>, started: number, isFree?: () => boolean): Promise<T>;
  /** Work that takes the time it takes, yet is in flight. */
  follow<T>(work: Promise<T>): Promise<T>;
  /** Requests in flight. */
  readonly size: number;
  /** Settles when nothing is in flight. */
  idle(): Promise<void>;
  /** Puts the timer away. */
  close(): void;
}

interface Pending {
  readonly due: number;
  readonly expire: () => void;
}

/** Deadlines of `limit` milliseconds, on the monotonic clock. */
export function createDeadlines(limit: number): Deadlines {
  // All have the same limit, so the first in is the first due.
  const pending = new Set<Pending>();
  const unbounded = new Set<Promise<unknown>>();
  const waiting: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function sweep(): void {
    timer = undefined;
    const now = performance.now();
    for (const entry of pending) {
      if (entry.due > now) {
        timer = setTimeout(sweep, entry.due - now);
        return;
      }
      // In this order: what goes on is in flight all the time.
      entry.expire();
      settle(entry);
    }
  }

  function settle(entry: Pending): void {
    pending.delete(entry);
    tell();
  }

  function size(): number {
    return pending.size + unbounded.size;
  }

  function tell(): void {
    if (size() === 0) waiting.splice(0).forEach((resolve) => resolve());
  }

  function follow<T>(work: Promise<T>): Promise<T> {
    unbounded.add(work);
    return work.finally(() => {
      unbounded.delete(work);
      tell();
    });
  }

  return {
    run: (work, started, isFree = () => false) =>
      new Promise((resolve, reject) => {
        const expire = () => {
          if (isFree()) follow(work).catch(() => {}); // told to who waits for it, below
          else reject(new AppError("gateway_timeout", "Request took too long"));
        };
        const entry = { due: started + limit, expire };
        pending.add(entry);
        timer ??= setTimeout(sweep, limit);
        work.then((outcome) => {
          settle(entry);
          resolve(outcome);
        }, (error) => {
          settle(entry);
          reject(error);
        });
      }),
    follow,
    get size() {
      return size();
    },
    idle: () => new Promise((resolve) => size() === 0 ? resolve() : waiting.push(resolve)),
    close: () => clearTimeout(timer),
  };
}
