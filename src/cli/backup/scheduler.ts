/**
 * Makes backups while the service runs, in processes beside it.
 *
 * @module
 */
import { type BackupSchedule, nextBackup } from "../../config/backup_schedule.ts";
import type { Log } from "../../shared/log.ts";

/** How a backup ended, and what it printed. */
export interface BackupRun {
  readonly code: number;
  readonly output: string;
}

export interface SchedulerOptions {
  readonly schedule: BackupSchedule;
  /** Makes a backup; `signal` ends it. */
  readonly run: (signal: AbortSignal) => Promise<BackupRun>;
  readonly log: Pick<Log, "event">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Calls back after milliseconds, and returns what cancels it. */
  readonly after: (delay: number, work: () => void) => () => void;
}

export interface Scheduler {
  /** Ends a backup that is running, and starts no more. */
  stop(): Promise<void>;
}

/**
 * Milliseconds after which the clock is read again: it may be set, and a machine may sleep. Timers
 * also take no more than 2^31.
 */
const LONGEST_WAIT = 60_000;

/** Starts a backup at each time of a schedule, unless the one before still runs. */
export function startScheduler({ schedule, run, log, now, after }: SchedulerOptions): Scheduler {
  const stopping = new AbortController();
  let running = Promise.resolve();
  let cancel: () => void = () => {};

  function wait(time: number): void {
    cancel = after(Math.min(Math.max(0, time - now()), LONGEST_WAIT), () => {
      const current = now();
      // Sooner than `time` if the clock was set back.
      if (current < time) return wait(nextBackup(schedule, current));
      running = backUp().then(() => {
        if (!stopping.signal.aborted) wait(nextBackup(schedule, now()));
      });
    });
  }

  async function backUp(): Promise<void> {
    const outcome = await run(stopping.signal)
      .catch((error: unknown) => ({ code: 1, output: String(error) }));
    if (stopping.signal.aborted) return;
    const reason = outcome.output.trim().replaceAll(/\s*\n\s*(?:- )?/g, " ");
    if (outcome.code === 0) log.event("info", "Backup succeeded", { detail: reason });
    else log.event("error", "Backup failed", { detail: reason });
  }

  wait(nextBackup(schedule, now()));
  return {
    stop: async () => {
      stopping.abort();
      cancel();
      await running;
    },
  };
}
