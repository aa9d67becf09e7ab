/**
 * Converts dates to milliseconds since the epoch, and to texts with an offset from UTC.
 *
 * @module
 */

/** Matches a moment with an offset from UTC. */
export const HAS_OFFSET = /[T ].*(?:Z|[+-]\d{2}:?\d{2})$/;

/** Returns whether a valid date names a time of the day. */
export function hasTime(moment: string): boolean {
  return moment.length > "YYYY-MM-DD".length;
}

/**
 * The moment of a day (00:00 UTC) or of a datetime, by its offset, its IANA time zone, or in UTC.
 * As in RFC 5545 section 3.3.5, a local time that occurs twice is the first one, and a local time
 * that is skipped has the offset before the gap.
 */
export function momentTime(moment: string, timeZone: string | null = null): number {
  if (!hasTime(moment)) return Date.parse(`${moment}T00:00:00Z`);
  const iso = moment.replace(" ", "T");
  if (HAS_OFFSET.test(iso)) return Date.parse(iso);
  const utc = Date.parse(`${iso}Z`);
  if (timeZone === null) return utc;
  const before = offsetAt(utc - DAY, timeZone);
  const after = offsetAt(utc + DAY, timeZone);
  const isAfter = before !== after && offsetAt(utc - before, timeZone) !== before &&
    offsetAt(utc - after, timeZone) === after;
  return utc - (isAfter ? after : before);
}

/**
 * The same day, or the same moment as `YYYY-MM-DDTHH:mm:ss.sss±HH:mm` (RFC 3339): with its own
 * offset, with that of its time zone, or in UTC.
 */
export function toMoment(moment: string, timeZone: string | null): string {
  if (!hasTime(moment)) return moment;
  const [, sign = "+", hours = "00", minutes = "00"] =
    /[T ].*([+-])(\d{2}):?(\d{2})$/.exec(moment) ?? [];
  const time = momentTime(moment, timeZone);
  // A day that does not exist.
  if (Number.isNaN(time)) return moment;
  if (timeZone === null) return atOffset(time, `${sign}${hours}:${minutes}`);
  return atOffset(time, offsetText(offsetAt(time, timeZone)));
}

function atOffset(time: number, offset: string): string {
  const ahead = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4));
  const wall = time + (offset.startsWith("-") ? -ahead : ahead) * MINUTE;
  const text = new Date(wall).toISOString();
  // At the first and last hours of the years 0 to 9999, only UTC has a year of four digits.
  return /^\d/.test(text) ? `${text.slice(0, -1)}${offset}` : inUtc(time);
}

function inUtc(time: number): string {
  return new Date(time).toISOString().replace("Z", "+00:00");
}

/** RFC 3339 has no seconds in offsets; local mean times of the 19th century do. */
function offsetText(ahead: number): string {
  const minutes = Math.trunc(Math.abs(ahead) / MINUTE);
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, "0")
  );
  return `${ahead < 0 ? "-" : "+"}${hour}:${minute}`;
}

const MINUTE = 60 * 1000;

/** Longer than the offset of any time zone. */
const DAY = 24 * 60 * 60 * 1000;

/** Formatters by time zone. Cached because they are slow to create. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const cached = clocks.get(timeZone.toLowerCase());
  if (cached !== undefined) return cached;
  const clock = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  clocks.set(timeZone.toLowerCase(), clock);
  return clock;
}

/** Offset of the zone from UTC at this time, in milliseconds. */
function offsetAt(time: number, timeZone: string): number {
  const name = clockOf(timeZone).formatToParts(time)
    .find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign = "+", hours = 0, minutes = 0, seconds = 0] =
    /([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(name) ?? [];
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return (sign === "-" ? -ahead : ahead) * 1000;
}
