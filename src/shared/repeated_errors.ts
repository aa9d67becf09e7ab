/**
 * Equal errors, counted: the log shows the first with its details, and then how often it came again.
 *
 * @module
 */

export interface RepeatedErrors {
  /** Counts an error that happens at `now`; whether it is to be shown, as the first of its kind. */
  isFirst(error: string, now: number): boolean;
  /** Reports what was counted, if that is due at `now`. */
  reportDue(now: number): void;
  /** Reports what was counted so far. */
  report(): void;
}

/** Milliseconds between two reports. */
const INTERVAL = 60_000;

/** Errors told apart; what more there are count as one. */
const MAX_ERRORS = 100;
const OTHERS = "Other errors";

/** Counts errors; `tell` hears of each that came again since it was last shown or reported. */
export function createRepeatedErrors(tell: (error: string, times: number) => void): RepeatedErrors {
  const counts = new Map<string, number>();
  let reportedAt = -Infinity;

  function report(): void {
    for (const [error, times] of counts) {
      // An error that stayed away for a whole interval is shown in full when it comes back.
      if (times === 0) counts.delete(error);
      else counts.set(error, 0);
      if (times > 0) tell(error, times);
    }
  }

  return {
    isFirst(error, now) {
      const key = counts.has(error) || counts.size < MAX_ERRORS ? error : OTHERS;
      const times = counts.get(key);
      if (counts.size === 0) reportedAt = now;
      counts.set(key, times === undefined ? 0 : times + 1);
      return times === undefined;
    },
    reportDue(now) {
      if (counts.size === 0 || now - reportedAt < INTERVAL) return;
      reportedAt = now;
      report();
    },
    report,
  };
}
