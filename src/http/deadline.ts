/**
 * The time limit of requests in flight, with a single timer for all of them.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";

export interface Deadlines {
  /**
   * Settles as the work, which began at `started` (monotonic milliseconds). Rejects with
   * `gateway_timeout` if it exceeds the limit, unless `isFree` returns true by then.
   */
  run<T>(work: Promise<T>, started: number, isFree?: () => boolean): Promise<T>;
  /** Counts work without a time limit as in flight. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Requests in flight. */
  readonly size: number;
  /** Settles when nothing is in flight. */
  idle(): Promise<void>;
  /** Stops the timer. */
  close(): void;
}

/** Work in flight. */
interface Pending {
  readonly due: number;
  readonly expire: () => void;
  older: Pending | undefined;
  younger: Pending | undefined;
  isSettled: boolean;
}

/**
 * Work in flight by age, as a linked list: a `Set` takes five microseconds more of processor time for
 * each request.
 */
interface PendingList {
  size: number;
  oldest: Pending | undefined;
  newest: Pending | undefined;
}

function add(list: PendingList, due: number, expire: () => void): Pending {
  const { newest } = list;
  const entry: Pending = { due, expire, older: newest, younger: undefined, isSettled: false };
  if (newest === undefined) list.oldest = entry;
  else newest.younger = entry;
  list.newest = entry;
  list.size++;
  return entry;
}

function remove(list: PendingList, entry: Pending): void {
  if (entry.isSettled) return;
  const { older, younger } = entry;
  if (older === undefined) list.oldest = younger;
  else older.younger = younger;
  if (younger === undefined) list.newest = older;
  else younger.older = older;
  entry.isSettled = true;
  list.size--;
}

/** Creates deadlines of `limit` milliseconds on the monotonic clock. */
export function createDeadlines(limit: number): Deadlines {
  // All have the same limit, so the oldest is due first.
  const pending: PendingList = { size: 0, oldest: undefined, newest: undefined };
  const unbounded = new Set<Promise<unknown>>();
  const waiting: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function expireDue(): void {
    timer = undefined;
    const now = performance.now();
    for (let entry = pending.oldest; entry !== undefined; entry = entry.younger) {
      if (entry.due > now) {
        timer = setTimeout(expireDue, entry.due - now);
        return;
      }
      // In this order, so that work whose limit was lifted stays in flight.
      entry.expire();
      settle(entry);
    }
  }

  function settle(entry: Pending): void {
    remove(pending, entry);
    notifyIdle();
  }

  function size(): number {
    return pending.size + unbounded.size;
  }

  function notifyIdle(): void {
    if (waiting.length > 0 && size() === 0) waiting.splice(0).forEach((resolve) => resolve());
  }

  function follow<T>(work: Promise<T>): Promise<T> {
    unbounded.add(work);
    return work.finally(() => {
      unbounded.delete(work);
      notifyIdle();
    });
  }

  return {
    run: (work, started, isFree = () => false) =>
      new Promise((resolve, reject) => {
        const expire = () => {
          if (isFree()) follow(work).catch(() => {}); // `work.then` below reports the error
          else reject(new AppError("gateway_timeout", "Request took too long"));
        };
        const entry = add(pending, started + limit, expire);
        timer ??= setTimeout(expireDue, limit);
        work.then((outcome) => {
          settle(entry);
          resolve(outcome);
        }, (error) => {
          settle(entry);
          reject(error);
        });
      }),
    track: follow,
    get size() {
      return size();
    },
    idle: () => new Promise((resolve) => size() === 0 ? resolve() : waiting.push(resolve)),
    close: () => clearTimeout(timer),
  };
}
