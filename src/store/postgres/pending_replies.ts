/**
 * The pending replies of one connection.
 *
 * @module
 */

/** Counts the seconds of all limits. It stands still while this process does. */
export interface Clock {
  now: number;
}

/** The last known state of the server. */
export interface Health {
  /** True if the server responds. */
  isUp: boolean;
  /**
   * Until when statements are assumed to wait for a lock that another session holds, by the workspace
   * whose lock that is; `EVERYONE` where it may be any.
   */
  readonly blockedUntil: Map<string, number>;
}

/** The key of a lock that may block all workspaces; no workspace has this name. */
export const EVERYONE = "";

export interface PendingReplies {
  /** When the oldest pending statement was sent; undefined if none is pending. */
  readonly since: number | undefined;
  /** Waits for a reply, unless `refuse` rejects it. */
  track<T>(answer: PromiseLike<T>): Promise<T>;
  /** Rejects statements that were sent before this time; their replies are ignored. */
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
