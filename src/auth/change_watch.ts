/**
 * Notices within a second that something outside this process has changed, such as a revocation.
 *
 * @module
 */

/** Milliseconds after which the next look begins, beside the requests. */
const LOOK_AFTER = 400;
/** Milliseconds for which a look is trusted: with the time that a reply takes, under a second. */
const TRUSTED = 900;

export interface ChangeWatch {
  /**
   * Returns whether the last look is recent enough at `now`, in milliseconds. Begins the next one
   * if it is due, so that a process without requests asks nothing and a busy one asks about twice a
   * second.
   */
  isCurrent(now: number): boolean;
  /** Looks, unless what is known is recent; rejects as the source does. */
  look(now: number): Promise<void>;
}

export interface ChangeWatchOptions {
  /** Returns what differs after each change. */
  readonly read: () => Promise<string | number>;
  /** Called on the first look and after each change. Nothing is current before it has resolved. */
  readonly onChange: () => Promise<void>;
}

/** Creates a watch; it looks when it is asked for the first time. */
export function createChangeWatch({ read, onChange }: ChangeWatchOptions): ChangeWatch {
  let last: { readonly startedAt: number; readonly revision: string | number } | undefined;
  let pending: Promise<void> | undefined;
  const run = async (startedAt: number): Promise<void> => {
    try {
      const revision = await read();
      if (last?.revision !== revision) await onChange();
      last = { startedAt, revision };
    } finally {
      pending = undefined;
    }
  };
  const start = (now: number): Promise<void> => pending ??= run(now);
  // Absolute, so that a clock that was set back is not trusted for longer.
  const isWithin = (age: number, now: number): boolean =>
    last !== undefined && Math.abs(now - last.startedAt) < age;
  return {
    isCurrent: (now) => {
      if (isWithin(LOOK_AFTER, now)) return true;
      // Whoever needs the outcome awaits `look()`, which rejects.
      start(now).catch(() => {});
      return isWithin(TRUSTED, now);
    },
    look: async (now) => {
      // Again, if the look under way began too long ago to know the last second.
      while (!isWithin(TRUSTED, now)) await start(now);
    },
  };
}
