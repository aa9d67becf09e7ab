/**
 * Calendar fields and texts of formula dates, in a time zone.
 *
 * A wall clock time is a number of milliseconds whose UTC fields are what a clock in the zone
 * shows.
 *
 * @module
 */
import type { FormulaDate } from "./values.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/**
 * Dates range from 0001-01-02 to 9999-12-30, so that the year has four digits in every time zone.
 */
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
  /** 1 (Monday) to 7 (Sunday). */
  readonly weekday: number;
}

/** The wall clock time of a zone at a time since the epoch. */
export function toWall(time: number, zone: string): number {
  return time + offsetAt(time, zone);
}

/** The UTC offset of a zone at a time since the epoch, in milliseconds. */
export function offsetAt(time: number, zone: string): number {
  if (zone === "UTC") return 0;
  const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(time)
    .toZonedDateTimeISO(zone);
  return offsetNanoseconds / 1e6;
}

/**
 * The time since the epoch of a wall clock time. If clocks go back and show it twice, the earlier
 * one; if clocks skip it, the time moved on by as much as they skip.
 */
export function fromWall(wall: number, zone: string): number {
  if (zone === "UTC") return wall;
  return Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO("UTC")
    .toPlainDateTime().toZonedDateTime(zone).epochMilliseconds;
}

/** The calendar fields of a wall clock time. */
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

/** The time rounded down to the millisecond; undefined outside the years 1 to 9999. */
export function validTime(time: number): number | undefined {
  return time >= MIN_TIME && time < MAX_TIME ? Math.floor(time) : undefined;
}

/** The midnight at which the day of this time began. */
export function midnightOf(time: number, zone: string): number {
  const wall = toWall(time, zone);
  return fromWall(wall - modulo(wall, DAY), zone);
}

/** The day of the year of a wall clock time, from 1. */
export function dayOfYear(wall: number): number {
  return Math.floor((wall - firstOfMonth(fieldsOf(wall).year * 12)) / DAY) + 1;
}

/** The first day of a month; months are counted from January of the year 0. */
export function firstOfMonth(index: number): number {
  // `Date.UTC` reads the years 0 to 99 as 1900 to 1999.
  const date = new Date(0);
  return date.setUTCFullYear(Math.floor(index / 12), modulo(index, 12), 1);
}

/** The ISO 8601 week of a wall clock time, and the year that the week belongs to. */
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

/** The English name of a month; 1 is January. */
export function monthName(month: number): string {
  return MONTH_NAMES[month - 1] ?? "";
}

/** The text of a date, such as `August 30, 2023 17:55`; ranges show both ends. */
export function dateText({ start, end, hasTime }: FormulaDate, zone: string): string {
  const first = momentText(toWall(start, zone), hasTime);
  return end === null ? first : `${first} → ${momentText(toWall(end, zone), hasTime)}`;
}

function momentText(wall: number, hasTime: boolean): string {
  const { year, month, day, hour, minute } = fieldsOf(wall);
  const date = `${monthName(month)} ${day}, ${year}`;
  return hasTime ? `${date} ${padded(hour)}:${padded(minute)}` : date;
}

/** The number with leading zeros. */
export function padded(number: number, width = 2): string {
  return String(number).padStart(width, "0");
}

/** The remainder of a division by a positive number; never negative. */
export function modulo(a: number, b: number): number {
  return ((a % b) + b) % b;
}
