import fc from "fast-check";
import { momentTime } from "../../src/content/values/timestamps.ts";
import { assertEquals } from "../assert.ts";

Deno.test("momentTime() reads a day as its start in UTC", () => {
  assertEquals(momentTime("2024-02-29"), Date.UTC(2024, 1, 29));
  assertEquals(momentTime("2024-02-29", "Asia/Tokyo"), Date.UTC(2024, 1, 29));
});

Deno.test("momentTime() uses the offset, then the time zone, then UTC", () => {
  const noon = Date.UTC(2024, 6, 1, 12);
  assertEquals(momentTime("2024-07-01T17:30+05:30"), noon);
  assertEquals(momentTime("2024-07-01T17:30+0530"), noon);
  assertEquals(momentTime("2024-07-01T12:00:00.000Z"), noon);
  assertEquals(momentTime("2024-07-01T14:00", "Europe/Paris"), noon);
  assertEquals(momentTime("2024-07-01T14:00:00.25", "europe/paris"), noon + 250);
  assertEquals(momentTime("2024-07-01T09:30", "America/St_Johns"), noon);
  assertEquals(momentTime("2024-07-01T12:00"), noon);
});

Deno.test("momentTime() follows daylight saving time", () => {
  assertEquals(momentTime("2024-03-31T01:59", "Europe/Paris"), Date.UTC(2024, 2, 31, 0, 59));
  assertEquals(momentTime("2024-03-31T03:00", "Europe/Paris"), Date.UTC(2024, 2, 31, 1));
  assertEquals(momentTime("2024-10-27T01:59", "Europe/Paris"), Date.UTC(2024, 9, 26, 23, 59));
  assertEquals(momentTime("2024-10-27T03:00", "Europe/Paris"), Date.UTC(2024, 9, 27, 2));
});

Deno.test("momentTime() reads a local time that occurs twice as the first", () => {
  assertEquals(momentTime("2024-10-27T02:30", "Europe/Berlin"), Date.UTC(2024, 9, 27, 0, 30));
  assertEquals(momentTime("2024-11-03T01:30", "America/New_York"), Date.UTC(2024, 10, 3, 5, 30));
  assertEquals(momentTime("2024-04-07T01:45", "Australia/Lord_Howe"), Date.UTC(2024, 3, 6, 14, 45));
});

Deno.test("momentTime() reads a skipped local time with the offset before the gap", () => {
  assertEquals(momentTime("2024-03-10T02:30", "America/New_York"), Date.UTC(2024, 2, 10, 7, 30));
  assertEquals(momentTime("2024-03-31T02:30", "Europe/Berlin"), Date.UTC(2024, 2, 31, 1, 30));
  // A whole day that Samoa left out.
  assertEquals(momentTime("2011-12-30T12:00", "Pacific/Apia"), Date.UTC(2011, 11, 30, 22));
});

const ZONES = [
  ...["UTC", "Europe/Paris", "Europe/Dublin", "America/New_York", "America/St_Johns"],
  ...["America/Santiago", "Australia/Adelaide", "Australia/Lord_Howe", "Pacific/Auckland"],
  ...["Pacific/Chatham", "Pacific/Apia", "Asia/Kathmandu", "Africa/Casablanca"],
];
const [MINUTE, HOUR] = [60_000, 3_600_000];

function shownBy(timeZone: string): (time: number) => string {
  const clock = new Intl.DateTimeFormat("sv", {
    timeZone,
    dateStyle: "short",
    timeStyle: "short",
  });
  return (time) => clock.format(time).replace(" ", "T");
}

/** The days from 1990 to 2029 in which the zone's clock changes. */
function changes(timeZone: string): number[] {
  const shown = shownBy(timeZone);
  const ahead = (time: number) => Date.parse(`${shown(time)}Z`) - time;
  const days = Array.from({ length: 40 * 365 }, (_, day) => Date.UTC(1990) + day * 24 * HOUR);
  return days.filter((day) => ahead(day) !== ahead(day + 24 * HOUR));
}

/** Goes through every quarter of an hour around it: the first that shows it, else by the gap. */
function searched(local: string, timeZone: string): number {
  const shown = shownBy(timeZone);
  const utc = Date.parse(`${local}Z`);
  const around = Array.from({ length: 4 * 60 + 1 }, (_, n) => utc - 30 * HOUR + n * 15 * MINUTE);
  const first = around.find((time) => shown(time) === local);
  if (first !== undefined) return first;
  const last = around.findLast((time) => shown(time) < local) ?? NaN;
  return last + utc - Date.parse(`${shown(last)}Z`);
}

Deno.test("momentTime() finds the same as a search through the times around it", () => {
  for (const timeZone of ZONES) {
    const near = changes(timeZone);
    const day = near.length > 0 ? fc.constantFrom(...near) : fc.constant(Date.UTC(2024));
    const quarter = fc.integer({ min: -4 * 16, max: 4 * 40 });
    fc.assert(
      fc.property(day, quarter, (start, quarters) => {
        const local = new Date(start + quarters * 15 * MINUTE).toISOString().slice(0, 16);
        assertEquals(
          momentTime(local, timeZone),
          searched(local, timeZone),
          `${local} ${timeZone}`,
        );
      }),
      { numRuns: 200 },
    );
  }
});

Deno.test("momentTime() reverses the local time of a time zone", () => {
  const zones = ["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"];
  const time = fc.integer({ min: 315_532_800, max: 2_114_380_800 }).map((s) => s * 1000);
  fc.assert(fc.property(time, fc.constantFrom(...zones), (time, timeZone) => {
    const clock = new Intl.DateTimeFormat("sv", {
      timeZone,
      dateStyle: "short",
      timeStyle: "medium",
    });
    const shown = clock.format(time).replace(" ", "T");
    const read = momentTime(shown, timeZone);
    // Where clocks go back, two moments show the same.
    assertEquals(clock.format(read).replace(" ", "T"), shown);
  }));
});
