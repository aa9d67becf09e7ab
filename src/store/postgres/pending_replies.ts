/**
 * The answers that are waited for on one connection.
 *
 * @module
 */

/** Counts the seconds of all limits. It stands still while this process does. */
export interface Clock {
  now: number;
}

/** How the server does, as far as is known. */
export interface Health {
  /** Whether the server answers at all. */
  isUp: boolean;
  /** Until when it is taken to be waiting for a lock that somebody does not let go of. */
  blockedUntil: number;
}

export interface PendingReplies {
  /** When the oldest pending statement was sent; undefined if none is pending. */
  readonly since: number | undefined;
  /** Waits for an answer, as long as nobody refuses it. */
  track<T>(answer: PromiseLike<T>): Promise<T>;
  /** Rejects what was asked for before this time; the answers to it are thrown away. */
  refuse(before: number, error: unknown): void;
}

interface Entry {
  readonly since: number;
  readonly reject: (error: unknown) => void;
}

export function createWaiting(clock: Clock): PendingReplies {
  /** In the order in which they were asked for. */
  const entries = new Set<Entry>();
  return {
    get since() {
      for (const { since } of entries) return since;
      return undefined;
    },
    track<T>(answer: PromiseLike<T>) {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const entry = { since: clock.now, reject };
      entries.add(entry);
      answer.then((value) => {
        entries.delete(entry);
        resolve(value);
      }, (error) => {
        entries.delete(entry);
        reject(error);
      });
      return promise;
    },
    refuse(before, error) {
      for (const { since, reject } of entries) {
        if (since >= before) return;
        reject(error);
      }
    },
  };
}
