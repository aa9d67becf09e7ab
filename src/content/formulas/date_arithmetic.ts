/**
 * Arithmetic on formula dates: years to days by the calendar, hours and minutes by elapsed time.
 *
 * @module
 */
import {
  DAY,
  fieldsOf,
  firstOfMonth,
  fromWall,
  HOUR,
  MINUTE,
  modulo,
  toWall,
  validTime,
} from "./calendar.ts";
import type { FormulaDate } from "./values.ts";

/** Units in months. */
const MONTHS = new Map([["years", 12], ["quarters", 3], ["months", 1]]);
/** Units in milliseconds of wall clock time. */
const DAYS = new Map([["weeks", 7 * DAY], ["days", DAY]]);
/** Units in milliseconds of elapsed time. */
const TIMES = new Map([["hours", HOUR], ["minutes", MINUTE]]);

/** The units of date arithmetic. */
export const UNITS: readonly string[] = [...MONTHS, ...DAYS, ...TIMES].map(([unit]) => unit);

/** The unit with this name, in plural or singular; undefined if there is none. */
export function unitOf(text: string): string | undefined {
  return UNITS.find((unit) => unit === text || unit === `${text}s`);
}

/** A unit, and the IANA name of the zone whose calendar applies. */
export interface UnitOptions {
  readonly unit: string;
  readonly zone: string;
}

/** Adds to a date, or to both ends of a range; null if the result is out of range. */
export function addToDate(
  date: FormulaDate,
  amount: number,
  { unit, zone }: UnitOptions,
): FormulaDate | null {
  const add = (time: number) => validTime(addToTime(time, amount, { unit, zone }));
  const start = add(date.start);
  const end = date.end === null ? null : add(date.end);
  if (start === undefined || end === undefined) return null;
  return { kind: "date", start, end, hasTime: date.hasTime || TIMES.has(unit) };
}

function addToTime(
  time: number,
  amount: number,
  { unit, zone }: UnitOptions,
): number {
  const size = TIMES.get(unit);
  if (size !== undefined) return time + amount * size;
  const wall = addToWall(toWall(time, zone), Math.trunc(amount), unit);
  return validTime(wall) === undefined ? NaN : fromWall(wall, zone);
}

function addToWall(wall: number, amount: number, unit: string): number {
  const days = DAYS.get(unit);
  return days === undefined
    ? addMonths(wall, amount * (MONTHS.get(unit) ?? 1))
    : wall + amount * days;
}

/** If the month is too short for the day, the month's last day is used. */
function addMonths(wall: number, amount: number): number {
  const { year, month, day } = fieldsOf(wall);
  const index = year * 12 + month - 1 + amount;
  const first = firstOfMonth(index);
  const last = (firstOfMonth(index + 1) - first) / DAY;
  return first + (Math.min(day, last) - 1) * DAY + modulo(wall, DAY);
}

/** The number of whole units from one time to another; negative if `later` is before `earlier`. */
export function wholeUnitsBetween(
  later: number,
  earlier: number,
  { unit, zone }: UnitOptions,
): number {
  const time = TIMES.get(unit);
  if (time !== undefined) return Math.trunc((later - earlier) / time) + 0;
  const a = toWall(later, zone);
  const b = toWall(earlier, zone);
  const days = DAYS.get(unit);
  if (days !== undefined) return Math.trunc((a - b) / days) + 0;
  const months = a >= b ? monthsAfter(a, b) : -monthsAfter(b, a);
  return Math.trunc(months / (MONTHS.get(unit) ?? 1)) + 0;
}

function monthsAfter(later: number, earlier: number): number {
  const a = fieldsOf(later);
  const b = fieldsOf(earlier);
  const months = (a.year - b.year) * 12 + a.month - b.month;
  return addMonths(earlier, months) > later ? months - 1 : months;
}
