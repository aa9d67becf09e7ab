/**
 * Dates as moments, in milliseconds since the epoch.
 *
 * @module
 */

const HAS_OFFSET = /T.*(?:Z|[+-]\d{2}:?\d{2})$/;

/**
 * The moment of a day (00:00 UTC) or of a datetime: by its offset, else by its IANA time zone, else
 * in UTC. Where clocks change it is as in RFC 5545, section 3.3.5: of a time of day that comes twice
 * the first, and one that is skipped by the offset before the gap.
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

/** Further than any zone's clocks are from UTC, so a change of theirs lies between. */
const DAY = 24 * 60 * 60 * 1000;

/** One a zone that was seen: making one takes much longer than asking it. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone.toLowerCase());
  if (known !== undefined) return known;
  const clock = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  clocks.set(timeZone.toLowerCase(), clock);
  return clock;
}

/** Milliseconds that the zone's clocks are ahead of UTC at this time. */
function offsetAt(time: number, timeZone: string): number {
  const name = clockOf(timeZone).formatToParts(time)
    .find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign = "+", hours = 0, minutes = 0, seconds = 0] =
    /([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(name) ?? [];
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return (sign === "-" ? -ahead : ahead) * 1000;
}
