/**
 * Properties that are times: dates that clients write, and when a row was created and last edited.
 *
 * @module
 */
import * as v from "valibot";
import {
  type DateInput,
  dateInput,
  dateIssues,
  type DateValue,
  dateValue,
  toDate,
} from "../values/dates.ts";
import { momentTime } from "../values/timestamps.ts";
import { EMPTY } from "../schema/cells.ts";
import { propertyKind } from "./property_type.ts";
import { numberCell } from "./numbers.ts";

/** No date reads longer; the pattern is for short texts. */
const LONGEST = 200;
/** `start`, or `start → end`, and the zone in brackets as RFC 9557 has it. */
const DATE_TEXT = /^(\S+?)(?: → (\S+?))?(?:\[(\S+)\])?$/;

export const date = propertyKind("date", {
  input: v.nullable(dateInput),
  output: v.nullable(dateValue),
  emptyCell: EMPTY,
  keep: (given): DateValue | undefined => given === null ? undefined : toDate(given),
  issues: (given, _property, { pointer }) => given === null ? [] : dateIssues(given, pointer),
  answer: (kept) => kept ?? null,
  cells: ({ start, time_zone }) => [numberCell(momentTime(start, time_zone))],
  toText: ({ start, end, time_zone }) =>
    (end === null ? start : `${start} → ${end}`) + (time_zone === null ? "" : `[${time_zone}]`),
  fromText: (text) => {
    if (text.length > LONGEST) return undefined;
    const [, start = "", end = null, time_zone = null] = DATE_TEXT.exec(text.trim()) ?? [];
    const given: DateInput = { start, end, time_zone };
    return v.is(dateInput, given) && dateIssues(given, "").length === 0 ? toDate(given) : undefined;
  },
});

const time = v.pipe(v.string(), v.isoTimestamp());

export const createdTime = propertyKind("created_time", {
  output: time,
  answer: (_kept, _property, { node }) => new Date(node.createdTime).toISOString(),
});

export const lastEditedTime = propertyKind("last_edited_time", {
  output: time,
  answer: (_kept, _property, { node }) => new Date(node.editedTime).toISOString(),
});
