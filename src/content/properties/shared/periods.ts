/**
 * The periods that dates in filters stand for: half-open ranges in milliseconds since the epoch.
 *
 * @module
 */
import { hasTime, momentTime } from "../../values/timestamps.ts";

/** Includes `from`, excludes `to`; a missing end is unbounded. */
export interface Period {
  readonly from?: number;
  readonly to?: number;
}

const DAY = 86_400_000;

/** The UTC day of a date, or the millisecond of a datetime, which is in UTC if it has no offset. */
export function periodOf(date: string): Required<Period> {
  const from = momentTime(date);
  return { from, to: from + (hasTime(date) ? 1 : DAY) };
}

/** Periods relative to now. Each consists of whole UTC days and includes today. */
export const RELATIVE = {
  this_week: (now) => {
    const monday = shift(today(now), { days: -((new Date(now).getUTCDay() + 6) % 7) });
    return { from: monday, to: monday + 7 * DAY };
  },
  past_week: (now) => ({ from: shift(today(now), { days: -7 }), to: tomorrow(now) }),
  past_month: (now) => ({ from: shift(today(now), { months: -1 }), to: tomorrow(now) }),
  past_year: (now) => ({ from: shift(today(now), { months: -12 }), to: tomorrow(now) }),
  next_week: (now) => ({ from: today(now), to: shift(tomorrow(now), { days: 7 }) }),
  next_month: (now) => ({ from: today(now), to: shift(today(now), { months: 1 }) + DAY }),
  next_year: (now) => ({ from: today(now), to: shift(today(now), { months: 12 }) + DAY }),
} as const satisfies Readonly<Record<string, (now: number) => Required<Period>>>;

export type RelativePeriod = keyof typeof RELATIVE;

function today(now: number): number {
  return Math.floor(now / DAY) * DAY;
}

function tomorrow(now: number): number {
  return today(now) + DAY;
}

interface Shift {
  readonly days?: number;
  readonly months?: number;
}

/** The day this much later; in a month that is too short, the month's last day. */
function shift(day: number, { days = 0, months = 0 }: Shift): number {
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + days * DAY;
}
