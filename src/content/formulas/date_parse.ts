/**
 * Parses ISO 8601 texts to formula dates.
 *
 * @module
 */
import { fromWall, MINUTE, validTime } from "./calendar.ts";
import type { FormulaDate } from "./values.ts";

const ISO = new RegExp(
  [
    String.raw`^(?<year>\d{4})(?:-(?<month>\d{2})(?:-(?<day>\d{2}))?)?`,
    String
      .raw`(?:[T ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<part>\d{1,9}))?)?`,
    String.raw`(?<offset>Z|[+-]\d{2}(?::?\d{2})?)?)?$`,
  ].join(""),
);

/**
 * Parses `2022`, `2022-01`, `2022-01-01`, and times with or without an offset. Days, and times
 * without an offset, are in the zone. Returns null if the text is not a date.
 */
export function parseDate(text: string, zone: string): FormulaDate | null {
  const groups = ISO.exec(text.trim())?.groups;
  if (groups === undefined) return null;
  const wall = wallOf(groups);
  if (wall === undefined || validTime(wall) === undefined) return null;
  const { hour, offset } = groups;
  const time = offset === undefined ? fromWall(wall, zone) : wall - offsetOf(offset);
  const start = validTime(time);
  return start === undefined
    ? null
    : { kind: "date", start, end: null, hasTime: hour !== undefined };
}

/** Undefined if the day or time does not exist. */
function wallOf(groups: Readonly<Record<string, string | undefined>>): number | undefined {
  const { year = "", month = "01", day = "01", hour = "00", minute = "00", second = "00" } = groups;
  const milliseconds = (groups.part ?? "").padEnd(3, "0").slice(0, 3);
  const clock = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const wall = Date.parse(`${clock}.${milliseconds}Z`);
  // `Date.parse` may read February 30th as March 1st. Only dates that exist format back to the same
  // text.
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(clock)) return undefined;
  return wall;
}

function offsetOf(offset: string): number {
  if (offset === "Z") return 0;
  const sign = offset.startsWith("-") ? -1 : 1;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(":", "") || 0);
  return sign * (hours * 60 + minutes) * MINUTE;
}
