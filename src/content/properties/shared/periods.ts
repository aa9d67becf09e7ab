/**
 * What dates in filters mean: ranges of moments, in milliseconds since the epoch, half open.
 *
 * @module
 */
import { momentTime } from "../../values/timestamps.ts";

/** From `from`, which is inside, to `to`, which is not; an end that is left out is open. */
export interface Period {
  readonly from?: number;
  readonly to?: number;
}

const DAY = 86_400_000;

/** The UTC day of a date, or the one millisecond of a datetime, UTC where it has no offset. */
export function periodOf(date: string): Required<Period> {
  const from = momentTime(date);
  return { from, to: from + (date.includes("T") ? 1 : DAY) };
}

/** The periods that are named relative to now; each is made of whole UTC days, today included. */
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

/** A day so much later; a month that is too short for its day gives its last one. */
function shift(day: number, { days = 0, months = 0 }: Shift): number {
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + days * DAY;
}
