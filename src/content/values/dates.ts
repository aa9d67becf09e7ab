/**
 * Dates of mentions and properties: a day, or a moment with its offset or its time zone.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue, pointerTo } from "../../shared/validation_issue.ts";

const DAY = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?`;
const OFFSET = String.raw`(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)`;

const ISO_DATE = new RegExp(`^${DAY}(?:T${CLOCK}(?:${OFFSET})?)?$`);
const HAS_OFFSET = new RegExp(`T${CLOCK}${OFFSET}$`);

/** A day or a moment as text. */
export const isoDate = v.pipe(
  v.string(),
  v.regex(ISO_DATE, "an ISO 8601 date or datetime"),
  v.description("A day (`YYYY-MM-DD`), or a date and time (ISO 8601)."),
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
  start: isoDate,
  end: v.nullable(isoDate),
  time_zone: v.nullable(timeZone),
});
component(dateValue, "DateValue", "A day, a point in time or a range.");
export type DateValue = v.InferOutput<typeof dateValue>;

/** The date value of a valid input. */
export function toDate({ start, end, time_zone }: DateInput): DateValue {
  return { start, end: end ?? null, time_zone: time_zone ?? null };
}

/** Issues of nonexistent days, of unknown time zones, and of missing or superfluous offsets. */
export function dateIssues(input: DateInput, pointer: string): ValidationIssue[] {
  const zone = input.time_zone ?? undefined;
  const issues = [
    momentIssue(input.start, { pointer: pointerTo(pointer, "start"), zone }),
    momentIssue(input.end, { pointer: pointerTo(pointer, "end"), zone }),
    zoneIssue(zone, pointerTo(pointer, "time_zone")),
  ];
  return issues.filter((issue) => issue !== undefined);
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
  const hasTime = moment.includes("T");
  const hasOffset = HAS_OFFSET.test(moment);
  if (zone === undefined) {
    return hasTime && !hasOffset ? "a datetime with an offset or a `time_zone`" : undefined;
  }
  return hasTime && !hasOffset ? undefined : "a datetime without an offset beside `time_zone`";
}

/** Whether a day in this format exists. */
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
