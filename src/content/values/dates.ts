/**
 * Dates of mentions and properties: a day, or a moment with its offset from UTC.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue, pointerTo } from "../../shared/validation_issue.ts";
import { HAS_OFFSET, momentTime, toMoment } from "./timestamps.ts";

const DAY = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?`;
const OFFSET = String.raw`(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)`;

const ISO_DATE = new RegExp(`^${DAY}(?:[T ]${CLOCK}(?:${OFFSET})?)?$`);

/** A day or a moment in a request. */
export const isoDate = v.pipe(
  v.string(),
  v.regex(ISO_DATE, "an ISO 8601 date or datetime"),
  v.description(
    "A day (`YYYY-MM-DD`), or a date and time (ISO 8601). Without an offset, a time is in UTC.",
  ),
);

const ISO_DATE_OUTPUT = new RegExp(`^${DAY}(?:T${CLOCK}(?:${OFFSET})?)?$`);

const isoDateOutput = v.pipe(
  v.string(),
  v.regex(ISO_DATE_OUTPUT, "an ISO 8601 date or datetime"),
  v.description(
    "A day (`YYYY-MM-DD`), or a date and time with its offset (`2026-01-02T10:00:00.000+00:00`).",
  ),
);

const timeZone = v.pipe(
  v.string(),
  v.maxLength(64),
  v.description(
    "IANA name of the time zone of `start` and `end`, which then must not have a UTC offset.",
  ),
);

/** A date in a request; `dateIssues` checks the members against each other. */
export const dateInput = v.strictObject({
  start: isoDate,
  end: v.exactOptional(v.nullable(isoDate)),
  time_zone: v.exactOptional(v.nullable(timeZone)),
});
component(dateInput, "DateInput", "A day, a point in time or a range to write.");
export type DateInput = v.InferOutput<typeof dateInput>;

/** A date in responses. */
export const dateValue = v.object({
  start: isoDateOutput,
  end: v.nullable(isoDateOutput),
  time_zone: v.pipe(
    v.nullable(v.pipe(v.string(), v.maxLength(64))),
    v.description("Always null: `start` and `end` have an offset."),
  ),
});
component(dateValue, "DateValue", "A day, a point in time or a range.");
export type DateValue = v.InferOutput<typeof dateValue>;

/**
 * The date value of an input: its times have an offset, and it has no time zone. What is invalid
 * stays as it is.
 */
export function toDate({ start, end, time_zone }: DateInput): DateValue {
  // Issues of an invalid input are told where it is checked, possibly later.
  const zone = time_zone && isTimeZone(time_zone) ? time_zone : null;
  return {
    start: toMoment(start, zone),
    end: end === undefined || end === null ? null : toMoment(end, zone),
    time_zone: null,
  };
}

/** A stored date as `toDate` returns it: earlier versions stored dates as clients wrote them. */
export function normalizeDate(stored: DateValue): DateValue {
  const { start, end, time_zone } = stored;
  return time_zone === null && isNormal(start) && (end === null || isNormal(end))
    ? stored
    : toDate(stored);
}

const DAY_LENGTH = "YYYY-MM-DD".length;
const MOMENT_LENGTH = "YYYY-MM-DDTHH:mm:ss.sss+00:00".length;

function isNormal({ length }: string): boolean {
  return length === DAY_LENGTH || length === MOMENT_LENGTH;
}

/** Issues of nonexistent days, unknown time zones, superfluous offsets and reversed ranges. */
export function dateIssues(input: DateInput, pointer: string): ValidationIssue[] {
  const zone = input.time_zone ?? undefined;
  const issues = [
    momentIssue(input.start, { pointer: pointerTo(pointer, "start"), zone }),
    momentIssue(input.end, { pointer: pointerTo(pointer, "end"), zone }),
    zoneIssue(zone, pointerTo(pointer, "time_zone")),
  ];
  const found = issues.filter((issue) => issue !== undefined);
  return found.length > 0 || !isReversed(input) ? found : [
    bodyIssue(pointerTo(pointer, "end"), { expected: "not before `start`", received: input.end }),
  ];
}

function isReversed({ start, end, time_zone: zone = null }: DateInput): boolean {
  if (end === undefined || end === null) return false;
  // A day beside a time stands for any moment of that day.
  if (start.length === DAY_LENGTH || end.length === DAY_LENGTH) {
    return end.slice(0, DAY_LENGTH) < start.slice(0, DAY_LENGTH);
  }
  return momentTime(end, zone) < momentTime(start, zone);
}

interface MomentPlace {
  readonly pointer: string;
  readonly zone: string | undefined;
}

function momentIssue(
  moment: string | null | undefined,
  { pointer, zone }: MomentPlace,
): ValidationIssue | undefined {
  if (moment === null || moment === undefined) return undefined;
  const expected = isDay(moment.slice(0, 10)) ? offsetExpected(moment, zone) : "a day that exists";
  return expected === undefined ? undefined : bodyIssue(pointer, { expected, received: moment });
}

function offsetExpected(moment: string, zone: string | undefined): string | undefined {
  if (zone === undefined) return undefined;
  const isLocal = moment.length > DAY_LENGTH && !HAS_OFFSET.test(moment);
  return isLocal ? undefined : "a datetime without an offset beside `time_zone`";
}

/** Returns whether a day in this format exists. */
export function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  // A parser may read February 30th as March 1st, which does not print as the same text.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

function zoneIssue(zone: string | undefined, pointer: string): ValidationIssue | undefined {
  if (zone === undefined || isTimeZone(zone)) return undefined;
  return bodyIssue(pointer, { expected: "an IANA time zone", received: zone });
}

/** Zones that exist, in lower case. Cached because each check creates a formatter. */
const timeZones = new Set<string>();

function isTimeZone(name: string): boolean {
  if (timeZones.has(name.toLowerCase())) return true;
  // Intl accepts offsets such as `+01:00` as names, unlike IANA.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    return false;
  }
  timeZones.add(name.toLowerCase());
  return true;
}
