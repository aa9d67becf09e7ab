/**
 * Functions of the formula language on dates.
 *
 * @module
 */
import {
  type CalendarFields,
  fieldsOf,
  isoWeek,
  midnightOf,
  MINUTE,
  toWall,
  validTime,
} from "../calendar.ts";
import { addToDate, unitOf, UNITS, wholeUnitsBetween } from "../date_arithmetic.ts";
import { FORMATS, formatWall } from "../date_format.ts";
import { parseDate } from "../date_parse.ts";
import type { Frame } from "../environment.ts";
import { DATE, NUMBER, TEXT } from "../types.ts";
import type { FormulaDate } from "../values.ts";
import { define, type FormulaFunction } from "./define.ts";
import { date, number, oneOf, text } from "./parameters.ts";

const UNIT = { expects: `a unit (${UNITS.map((unit) => `"${unit}"`).join(", ")})`, find: unitOf };
const unit = () => oneOf(text("unit"), UNIT);

function moment(time: number): FormulaDate | null {
  const start = validTime(Math.floor(time / MINUTE) * MINUTE);
  return start === undefined ? null : { kind: "date", start, end: null, hasTime: true };
}

/** Declares a function that returns one field of a date's start. */
function field(
  name: string,
  read: (fields: CalendarFields, wall: number) => number,
  { description, examples }: Pick<FormulaFunction, "description" | "examples">,
): FormulaFunction {
  return define({
    name,
    parameters: [date("date")],
    returns: NUMBER,
    description,
    examples,
    call: ([{ start }], { zone }) => {
      const wall = toWall(start, zone);
      return read(fieldsOf(wall), wall);
    },
  });
}

function range(start: FormulaDate, end: FormulaDate): FormulaDate | null {
  const last = end.end ?? end.start;
  if (last < start.start) return null;
  return {
    kind: "date",
    start: start.start,
    end: last,
    hasTime: start.hasTime || end.hasTime,
  };
}

function today({ env, zone }: Frame): FormulaDate {
  return { kind: "date", start: midnightOf(env.now, zone), end: null, hasTime: false };
}

const CLOCK: readonly FormulaFunction[] = [
  define({
    name: "now",
    parameters: [],
    returns: DATE,
    description: "The current date and time, to the minute.",
    examples: [["now()", "August 30, 2023 17:55"]],
    usesNow: true,
    call: (_, { env }) => moment(env.now),
  }),
  define({
    name: "today",
    parameters: [],
    returns: DATE,
    description: "The current day.",
    examples: [["today()", "August 30, 2023"]],
    usesNow: true,
    call: (_, frame) => today(frame),
  }),
];

const FIELDS: readonly FormulaFunction[] = [
  field("minute", ({ minute }) => minute, {
    description: "The minute of a date, 0 to 59.",
    examples: [["minute(now())", "55"]],
  }),
  field("hour", ({ hour }) => hour, {
    description: "The hour of a date, 0 to 23.",
    examples: [["hour(now())", "17"]],
  }),
  field("day", ({ weekday }) => weekday, {
    description: "The day of the week of a date, 1 on Monday to 7 on Sunday.",
    examples: [["day(now())", "3"]],
  }),
  field("date", ({ day }) => day, {
    description: "The day of the month of a date, 1 to 31.",
    examples: [["date(now())", "30"]],
  }),
  field("week", (_, wall) => isoWeek(wall).week, {
    description: "The ISO 8601 week of a date, 1 to 53.",
    examples: [['week(parseDate("2023-01-02"))', "1"]],
  }),
  field("month", ({ month }) => month, {
    description: "The month of a date, 1 to 12.",
    examples: [["month(now())", "8"]],
  }),
  field("year", ({ year }) => year, {
    description: "The year of a date.",
    examples: [["year(now())", "2023"]],
  }),
];

const ARITHMETIC: readonly FormulaFunction[] = [
  define({
    name: "dateAdd",
    parameters: [date("date"), number("amount"), unit()],
    returns: DATE,
    description:
      "A later date. If the month is too short for the day, its last day is used. Days and longer units keep the clock time.",
    examples: [['dateAdd(now(), 1, "days")', "August 31, 2023 17:55"], [
      'dateAdd(parseDate("2024-01-31"), 1, "months")',
      "February 29, 2024",
    ]],
    call: ([value, amount, one], { zone }) => addToDate(value, amount, { unit: one, zone }),
  }),
  define({
    name: "dateSubtract",
    parameters: [date("date"), number("amount"), unit()],
    returns: DATE,
    description: "An earlier date.",
    examples: [['dateSubtract(now(), 2, "months")', "June 30, 2023 17:55"]],
    call: ([value, amount, one], { zone }) => addToDate(value, -amount, { unit: one, zone }),
  }),
  define({
    name: "dateBetween",
    parameters: [date("date"), date("earlier"), unit()],
    returns: NUMBER,
    description:
      "The number of whole units from the second date to the first; negative if the first is earlier.",
    examples: [['dateBetween(now(), parseDate("2022-09-07"), "days")', "357"]],
    call: ([value, earlier, one], { zone }) =>
      wholeUnitsBetween(value.start, earlier.start, { unit: one, zone }),
  }),
  define({
    name: "dateRange",
    parameters: [date("start"), date("end")],
    returns: DATE,
    description: "The range from one date to another; empty if it would end before it starts.",
    examples: [[
      'dateRange(parseDate("2022-09-07"), parseDate("2023-09-07"))',
      "September 7, 2022 → September 7, 2023",
    ]],
    call: ([start, end]) => range(start, end),
  }),
  define({
    name: "dateStart",
    parameters: [date("range")],
    returns: DATE,
    description: "The start of a range, or a single date itself.",
    examples: [["dateStart(now())", "August 30, 2023 17:55"]],
    call: ([value]) => ({ ...value, end: null }),
  }),
  define({
    name: "dateEnd",
    parameters: [date("range")],
    returns: DATE,
    description: "The end of a range, or a single date itself.",
    examples: [["dateEnd(now())", "August 30, 2023 17:55"]],
    call: ([value]) => ({ ...value, start: value.end ?? value.start, end: null }),
  }),
];

const CONVERSIONS: readonly FormulaFunction[] = [
  define({
    name: "timestamp",
    parameters: [date("date")],
    returns: NUMBER,
    description: "The milliseconds since 1970 of a date.",
    examples: [["timestamp(now())", "1693418100000"]],
    call: ([{ start }]) => start,
  }),
  define({
    name: "fromTimestamp",
    parameters: [number("milliseconds")],
    returns: DATE,
    description: "The date of milliseconds since 1970, to the minute.",
    examples: [["fromTimestamp(1689024900000)", "July 10, 2023 21:35"]],
    call: ([time]) => moment(time),
  }),
  define({
    name: "formatDate",
    parameters: [date("date"), oneOf(text("format"), FORMATS)],
    returns: TEXT,
    description:
      "A date as text. The letters of the format stand for its parts: `YYYY MMMM MMM MM M DD D Do dddd ddd HH H hh h mm m ss A a W Q X L LL …`; `[text]` stands for itself.",
    examples: [['formatDate(now(), "MMMM D, Y")', '"August 30, 2023"'], [
      'formatDate(now(), "MM/DD/YYYY")',
      '"08/30/2023"',
    ], ['formatDate(now(), "dddd [at] HH:mm")', '"Wednesday at 17:55"']],
    call: ([{ start: time }, format], frame) =>
      formatWall(format, { time, zone: frame.zone }, frame),
  }),
  define({
    name: "parseDate",
    parameters: [text("text")],
    returns: DATE,
    description: "The date in an ISO 8601 text; empty if the text is not a date.",
    examples: [['parseDate("2022-01-01")', "January 1, 2022"], [
      'parseDate("2022-01-01T08:30Z")',
      "January 1, 2022 08:30",
    ], ['parseDate("soon")', "empty"]],
    call: ([value], { zone }) => parseDate(value, zone),
  }),
];

export const DATES: readonly FormulaFunction[] = [
  ...CLOCK,
  ...FIELDS,
  ...ARITHMETIC,
  ...CONVERSIONS,
];
