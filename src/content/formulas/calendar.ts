/**
 * Dates of formulas: calendar fields and text, in a time zone.
 *
 * Inside, a moment is turned into its wall clock: milliseconds that read in UTC as the clock on the
 * wall of the zone does.
 *
 * @module
 */
import type { FormulaDate } from "./values.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Between them a date may be, 0001-01-02 to 9999-12-30, so that in no zone its year has five digits. */
const MIN_TIME = -62_135_510_400_000;
const MAX_TIME = Date.UTC(9999, 11, 31);

export interface CalendarFields {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** 1, Monday, to 7, Sunday. */
  readonly weekday: number;
}

/** The clock on the wall of a zone at a moment. */
export function toWall(time: number, zone: string): number {
  return time + offsetAt(time, zone);
}

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
export function offsetAt(time: number, zone: string): number {
  if (zone === "UTC") return 0;
  const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(time)
    .toZonedDateTimeISO(zone);
  return offsetNanoseconds / 1e6;
}

/** The moment of a wall clock: of two the first, of a skipped one as far behind as it was skipped. */
export function fromWall(wall: number, zone: string): number {
  if (zone === "UTC") return wall;
  return Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO("UTC")
    .toPlainDateTime().toZonedDateTime(zone).epochMilliseconds;
}

/** The calendar fields of a wall clock. */
export function fieldsOf(wall: number): CalendarFields {
  const date = new Date(wall);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
    weekday: date.getUTCDay() || 7,
  };
}

/** The moment itself, rounded down to the millisecond; undefined outside the years 1 to 9999. */
export function validTime(time: number): number | undefined {
  return time >= MIN_TIME && time < MAX_TIME ? Math.floor(time) : undefined;
}

/** The midnight that began the day of a moment. */
export function midnightOf(time: number, zone: string): number {
  const wall = toWall(time, zone);
  return fromWall(wall - modulo(wall, DAY), zone);
}

/** The day of the year of a wall clock, from 1. */
export function dayOfYear(wall: number): number {
  return Math.floor((wall - firstOfMonth(fieldsOf(wall).year * 12)) / DAY) + 1;
}

/** The first day of a month, counted from January of the year 0. */
export function firstOfMonth(index: number): number {
  // `Date.UTC` takes the years 0 to 99 for 1900 to 1999.
  const date = new Date(0);
  return date.setUTCFullYear(Math.floor(index / 12), modulo(index, 12), 1);
}

/** The ISO 8601 week of a wall clock and the year that the week belongs to. */
export function isoWeek(wall: number): { readonly year: number; readonly week: number } {
  const thursday = wall + (4 - fieldsOf(wall).weekday) * DAY;
  return {
    year: fieldsOf(thursday).year,
    week: Math.floor((dayOfYear(thursday) - 1) / 7) + 1,
  };
}

const MONTH_NAMES = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** The English name of a month, 1 to 12. */
export function monthName(month: number): string {
  return MONTH_NAMES[month - 1] ?? "";
}

/** The text of a date: `August 30, 2023 17:55`, of a range both ends. */
export function dateText({ start, end, hasTime }: FormulaDate, zone: string): string {
  const first = momentText(toWall(start, zone), hasTime);
  return end === null ? first : `${first} → ${momentText(toWall(end, zone), hasTime)}`;
}

function momentText(wall: number, hasTime: boolean): string {
  const { year, month, day, hour, minute } = fieldsOf(wall);
  const date = `${monthName(month)} ${day}, ${year}`;
  return hasTime ? `${date} ${padded(hour)}:${padded(minute)}` : date;
}

/** A number with zeros before it. */
export function padded(number: number, width = 2): string {
  return String(number).padStart(width, "0");
}

/** The remainder that is never negative. */
export function modulo(a: number, b: number): number {
  return ((a % b) + b) % b;
}
