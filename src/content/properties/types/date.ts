/**
 * Days, moments, and ranges of them.
 *
 * @module
 */
import * as v from "valibot";
import { type Cell, EMPTY, numberCell } from "../../schema/cells.ts";
import {
  type DateInput,
  dateInput,
  dateIssues,
  type DateValue,
  dateValue,
  normalizeDate,
  toDate,
} from "../../values/dates.ts";
import { momentTime } from "../../values/timestamps.ts";
import { propertyKind } from "../property_kind.ts";
import { whole } from "../shared/collect.ts";
import { NO_CONFIG } from "../shared/no_config.ts";
import { dates } from "../shared/operators.ts";

/** No date reads longer; the pattern is for short texts. */
const LONGEST = 200;
/** `start`, or `start → end`, and the zone in brackets as RFC 9557 has it. */
const DATE_TEXT = /^(\S+?)(?: → (\S+?))?(?:\[(\S+)\])?$/;

function cell({ start, time_zone }: DateValue): Cell {
  return numberCell(momentTime(start, time_zone));
}

/** The cells of a date; none if there is no date. */
export function dateCells(date: DateValue | null): Cell[] {
  return date === null ? [] : [cell(date)];
}

/** Parts of a normal day or moment. */
const MOMENT = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d))?/;

/** How people write a day or moment in searches: `2026-03-02`, `02.03.2026` and `2.3.2026`. */
function spellings(moment: string): string[] {
  const [, year = "", month = "", day = "", time] = MOMENT.exec(moment) ?? [];
  const days = [
    `${year}-${month}-${day}`,
    `${day}.${month}.${year}`,
    `${Number(day)}.${Number(month)}.${year}`,
  ];
  return [...new Set(days)].map((day) => time === undefined ? day : `${day} ${time}`);
}

export const date = propertyKind({
  config: NO_CONFIG,
  input: v.nullable(dateInput),
  output: v.nullable(dateValue),
  toStored: (given): DateValue | undefined => given === null ? undefined : toDate(given),
  issues: (given, _property, { pointer }) => given === null ? [] : dateIssues(given, pointer),
  isSelfContained: true,
  toRead: (stored) => stored === undefined ? null : normalizeDate(stored),
  emptyCell: EMPTY,
  cell,
  texts: (stored) => {
    const { start, end } = normalizeDate(stored);
    return [start, ...(end === null ? [] : [end])].flatMap(spellings);
  },
  conditions: { operators: dates },
  formula: { type: "date", value: (read) => read },
  collect: {
    parts: whole((read) => read && JSON.stringify(read)),
    cells: dateCells,
  },
  toText: ({ start, end, time_zone }) =>
    (end === null ? start : `${start} → ${end}`) + (time_zone === null ? "" : `[${time_zone}]`),
  fromText: (text) => {
    if (text.length > LONGEST) return undefined;
    const [, start = "", end = null, time_zone = null] = DATE_TEXT.exec(text.trim()) ?? [];
    const given: DateInput = { start, end, time_zone };
    return v.is(dateInput, given) && dateIssues(given, "").length === 0 ? toDate(given) : undefined;
  },
  fromYaml: (value) => typeof value === "string" ? { start: value } : undefined,
});
