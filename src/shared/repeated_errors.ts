/**
 * Counts equal errors: the log shows the first with its details, then how often it was repeated.
 *
 * @module
 */

export interface RepeatedErrors {
  /** Counts an error at `now`; returns whether it is the first of its kind, to be shown in full. */
  isFirst(error: string, now: number): boolean;
  /** Reports the counts if a report is due at `now`. */
  reportDue(now: number): void;
  /** Reports the counts. */
  report(): void;
}

/** Milliseconds between two reports. */
const INTERVAL = 60_000;

/** How many errors are distinguished; all others count as one. */
const MAX_ERRORS = 100;
const OTHER_ERRORS = "Other errors";

/**
 * Counts errors; calls `onRepeated` for each that was repeated since it was last shown or reported.
 */
export function createRepeatedErrors(
  onRepeated: (error: string, times: number) => void,
): RepeatedErrors {
  const counts = new Map<string, number>();
  let reportedAt = -Infinity;

  function report(): void {
    for (const [error, times] of counts) {
      // An error that did not occur for a whole interval is shown in full the next time.
      if (times === 0) counts.delete(error);
      else counts.set(error, 0);
      if (times > 0) onRepeated(error, times);
    }
  }

  return {
    isFirst(error, now) {
      const key = counts.has(error) || counts.size < MAX_ERRORS ? error : OTHER_ERRORS;
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
