/**
 * Formats formula dates as text.
 *
 * @module
 */
import {
  type CalendarFields,
  dayOfYear,
  fieldsOf,
  isoWeek,
  MINUTE,
  monthName,
  offsetAt,
  padded,
  toWall,
} from "./calendar.ts";
import { ordinal } from "./number_format.ts";
import { type ComputeBudget, MAX_PATTERN, spend } from "./compute_budget.ts";

const WEEKDAYS = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
];

/** Units of work that showing one part of a date costs. */
const PART_COST = 1 / 2;

interface Moment extends CalendarFields {
  readonly time: number;
  readonly wall: number;
  readonly zone: string;
}

/** Letters that stand for a whole format. */
const LONG = new Map([
  ["LT", "h:mm A"],
  ["LTS", "h:mm:ss A"],
  ["L", "MM/DD/YYYY"],
  ["LL", "MMMM D, YYYY"],
  ["LLL", "MMMM D, YYYY h:mm A"],
  ["LLLL", "dddd, MMMM D, YYYY h:mm A"],
  ["l", "M/D/YYYY"],
  ["ll", "MMM D, YYYY"],
  ["lll", "MMM D, YYYY h:mm A"],
  ["llll", "ddd, MMM D, YYYY h:mm A"],
]);

/** A part of a date, or a text that stands for itself. */
type Part = ((moment: Moment) => string | number) | string;

/** A format, divided into what its letters stand for. */
export interface DateFormat {
  readonly parts: readonly Part[];
}

const PARTS = new Map<string, Part>([
  ["YYYY", ({ year }) => padded(year, 4)],
  ["YY", ({ year }) => padded(year % 100)],
  ["Y", ({ year }) => year],
  ["GGGG", ({ wall }) => padded(isoWeek(wall).year, 4)],
  ["GG", ({ wall }) => padded(isoWeek(wall).year % 100)],
  ["Qo", ({ month }) => ordinal(quarterOf(month))],
  ["Q", ({ month }) => quarterOf(month)],
  ["MMMM", ({ month }) => monthName(month)],
  ["MMM", ({ month }) => monthName(month).slice(0, 3)],
  ["MM", ({ month }) => padded(month)],
  ["Mo", ({ month }) => ordinal(month)],
  ["M", ({ month }) => month],
  ["DDDD", ({ wall }) => padded(dayOfYear(wall), 3)],
  ["DDDo", ({ wall }) => ordinal(dayOfYear(wall))],
  ["DDD", ({ wall }) => dayOfYear(wall)],
  ["DD", ({ day }) => padded(day)],
  ["Do", ({ day }) => ordinal(day)],
  ["D", ({ day }) => day],
  ["dddd", (moment) => weekdayName(moment)],
  ["ddd", (moment) => weekdayName(moment).slice(0, 3)],
  ["dd", (moment) => weekdayName(moment).slice(0, 2)],
  ["do", ({ weekday }) => ordinal(weekday % 7)],
  ["d", ({ weekday }) => weekday % 7],
  ["E", ({ weekday }) => weekday],
  ["e", ({ weekday }) => weekday % 7],
  ["WW", ({ wall }) => padded(isoWeek(wall).week)],
  ["Wo", ({ wall }) => ordinal(isoWeek(wall).week)],
  ["W", ({ wall }) => isoWeek(wall).week],
  ["ww", (moment) => padded(sundayWeek(moment))],
  ["wo", (moment) => ordinal(sundayWeek(moment))],
  ["w", (moment) => sundayWeek(moment)],
  ["HH", ({ hour }) => padded(hour)],
  ["H", ({ hour }) => hour],
  ["hh", ({ hour }) => padded(hour % 12 || 12)],
  ["h", ({ hour }) => hour % 12 || 12],
  ["kk", ({ hour }) => padded(hour || 24)],
  ["k", ({ hour }) => hour || 24],
  ["mm", ({ minute }) => padded(minute)],
  ["m", ({ minute }) => minute],
  ["ss", ({ second }) => padded(second)],
  ["s", ({ second }) => second],
  ["SSS", ({ millisecond }) => padded(millisecond, 3)],
  ["SS", ({ millisecond }) => padded(Math.floor(millisecond / 10))],
  ["S", ({ millisecond }) => Math.floor(millisecond / 100)],
  ["A", ({ hour }) => hour < 12 ? "AM" : "PM"],
  ["a", ({ hour }) => hour < 12 ? "am" : "pm"],
  ["ZZ", ({ time, zone }) => offsetText(offsetAt(time, zone), "")],
  ["Z", ({ time, zone }) => offsetText(offsetAt(time, zone), ":")],
  ["X", ({ time }) => Math.floor(time / 1000)],
  ["x", ({ time }) => time],
]);

const LONGEST_FIRST = [...LONG.keys(), ...PARTS.keys()].sort((a, b) => b.length - a.length);
const LETTERS = new RegExp(`${LONGEST_FIRST.join("|")}|[^]`, "g");

/** The parts that letters stand for. Whole formats are divided here, and not each time they are used. */
const MEANINGS = new Map<string, readonly Part[]>(
  [...PARTS].map(([letters, part]) => [letters, [part]]),
);
for (const [letters, format] of LONG) MEANINGS.set(letters, lettersOf(format));

/** The values that a `format` parameter accepts. */
export const FORMATS = {
  expects: `a format of at most ${MAX_PATTERN} characters`,
  find: (text: string): DateFormat | undefined =>
    text.length <= MAX_PATTERN ? { parts: partsOf(text) } : undefined,
  cost: (text: string) => Math.min(text.length, MAX_PATTERN) * PART_COST,
};

/** Formats a time: replaces the letters of the format by the parts that they stand for. */
export function formatWall(
  { parts }: DateFormat,
  { time, zone }: { readonly time: number; readonly zone: string },
  budget: ComputeBudget,
): string {
  spend(budget, parts.length * PART_COST);
  const wall = toWall(time, zone);
  const moment = { ...fieldsOf(wall), time, wall, zone };
  // Computed once each: a format may have the number of the week hundreds of times.
  const shown = new Map<Part, string>();
  const show = (part: Part) => String(typeof part === "string" ? part : part(moment));
  return parts.map((part) => shown.getOrInsertComputed(part, show)).join("");
}

function partsOf(format: string): readonly Part[] {
  const parts: Part[] = [];
  let offset = 0;
  while (true) {
    const open = format.indexOf("[", offset);
    const close = open < 0 ? -1 : format.indexOf("]", open);
    // A bracket that is not closed stands for itself.
    if (close < 0) return [...parts, ...lettersOf(format.slice(offset))];
    const literal = format.slice(open + 1, close);
    parts.push(...lettersOf(format.slice(offset, open)), literal);
    offset = close + 1;
  }
}

function lettersOf(format: string): readonly Part[] {
  return [...format.matchAll(LETTERS)].flatMap(([letters]) => MEANINGS.get(letters) ?? letters);
}

function quarterOf(month: number): number {
  return Math.ceil(month / 3);
}

function weekdayName({ weekday }: CalendarFields): string {
  return WEEKDAYS[weekday - 1] ?? "";
}

/** The week of the year; weeks begin on Sunday, and the first one contains January 1st. */
function sundayWeek({ wall, weekday, month, day }: Moment): number {
  const daysToSaturday = 6 - weekday % 7;
  if (month === 12 && day + daysToSaturday > 31) return 1;
  return Math.ceil((dayOfYear(wall) + daysToSaturday) / 7);
}

function offsetText(offset: number, separator: string): string {
  const minutes = Math.round(Math.abs(offset) / MINUTE);
  const sign = offset < 0 ? "-" : "+";
  return `${sign}${padded(Math.floor(minutes / 60))}${separator}${padded(minutes % 60)}`;
}
