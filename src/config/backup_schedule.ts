/**
 * When backups are made.
 *
 * @module
 */

/** Argument of `main.ts` if whoever starts it makes the backups. */
export const SCHEDULED = "--scheduled";

/** When backups are made, in UTC. */
export type BackupSchedule =
  | { readonly kind: "daily"; readonly minute: number }
  | { readonly kind: "every"; readonly minutes: number };

/** Form of a schedule in the settings. */
export const SCHEDULE = {
  accepts: (text: string) => parseSchedule(text) !== undefined,
  form: 'like "daily 03:00" or "every 6h", in UTC',
  // Sound because `accepts` admits only what can be parsed.
  parse: (text: string) => parseSchedule(text) as BackupSchedule,
};

const DAY_MINUTES = 24 * 60;

function parseSchedule(text: string): BackupSchedule | undefined {
  const [, hour, minute] = /^daily ([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hour !== undefined) return { kind: "daily", minute: Number(hour) * 60 + Number(minute) };
  const [, count, unit] = /^every ([1-9]\d{0,3})([mh])$/.exec(text) ?? [];
  const minutes = Number(count) * (unit === "h" ? 60 : 1);
  // So that the times are the same each day.
  return DAY_MINUTES % minutes === 0 ? { kind: "every", minutes } : undefined;
}

/** Returns the first time of a schedule after `now`, in milliseconds since the epoch. */
export function nextBackup(schedule: BackupSchedule, now: number): number {
  const period = schedule.kind === "daily" ? DAY_MINUTES : schedule.minutes;
  const offset = schedule.kind === "daily" ? schedule.minute : 0;
  const minute = 60_000;
  const periods = Math.floor((now - offset * minute) / (period * minute)) + 1;
  return (periods * period + offset) * minute;
}
