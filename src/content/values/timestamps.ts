/**
 * Converts dates to milliseconds since the epoch.
 *
 * @module
 */

const HAS_OFFSET = /T.*(?:Z|[+-]\d{2}:?\d{2})$/;

/**
 * The moment of a day (00:00 UTC) or of a datetime, by its offset, its IANA time zone, or in UTC.
 * As in RFC 5545 section 3.3.5, a local time that occurs twice is the first one, and a local time
 * that is skipped has the offset before the gap.
 */
export function momentTime(moment: string, timeZone: string | null = null): number {
  if (!moment.includes("T")) return Date.parse(`${moment}T00:00:00Z`);
  if (HAS_OFFSET.test(moment)) return Date.parse(moment);
  const utc = Date.parse(`${moment}Z`);
  if (timeZone === null) return utc;
  const before = offsetAt(utc - DAY, timeZone);
  const after = offsetAt(utc + DAY, timeZone);
  const isAfter = before !== after && offsetAt(utc - before, timeZone) !== before &&
    offsetAt(utc - after, timeZone) === after;
  return utc - (isAfter ? after : before);
}

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
