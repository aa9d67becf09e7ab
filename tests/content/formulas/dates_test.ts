import fc from "fast-check";
import {
  fieldsOf,
  fromWall,
  isoWeek,
  midnightOf,
  toWall,
} from "../../../src/content/formulas/calendar.ts";
import {
  addToDate,
  UNITS,
  wholeUnitsBetween,
} from "../../../src/content/formulas/date_arithmetic.ts";
import { assertEquals } from "../../assert.ts";
import { shown } from "./support.ts";

const BERLIN = "Europe/Berlin";
const NEW_YORK = "America/New_York";
const KOLKATA = "Asia/Kolkata";
const ZONES = ["UTC", BERLIN, NEW_YORK, KOLKATA, "Australia/Lord_Howe", "Pacific/Apia"];

Deno.test("dates have the calendar fields of the evaluation's time zone", () => {
  assertEquals(shown("now()", KOLKATA), "August 30, 2023 23:25");
  assertEquals(shown("today()", "Pacific/Auckland"), "August 31, 2023");
  assertEquals(shown("hour(now())", NEW_YORK), "13");
  assertEquals(shown("hour(today())", NEW_YORK), "0");
  assertEquals(
    shown('timestamp(parseDate("2023-07-10"))', NEW_YORK),
    `${Date.UTC(2023, 6, 10, 4)}`,
  );
  assertEquals(
    shown('parseDate("2022-01-01T00:00Z")', "America/Los_Angeles"),
    "December 31, 2021 16:00",
  );
  assertEquals(
    shown('formatDate(now(), "YYYY-MM-DD HH:mm Z")', KOLKATA),
    '"2023-08-30 23:25 +05:30"',
  );
  assertEquals(shown('formatDate(now(), "ZZ")', NEW_YORK), '"-0400"');
});

Deno.test("adding days keeps the clock time when clocks change; adding hours does not", () => {
  const before = 'parseDate("2023-03-11T12:00")';
  assertEquals(shown(`dateAdd(${before}, 1, "days")`, NEW_YORK), "March 12, 2023 12:00");
  assertEquals(shown(`dateAdd(${before}, 24, "hours")`, NEW_YORK), "March 12, 2023 13:00");
  const between = (unit: string) =>
    shown(`dateBetween(dateAdd(${before}, 1, "days"), ${before}, "${unit}")`, NEW_YORK);
  assertEquals([between("days"), between("hours")], ["1", "23"]);
  assertEquals(
    shown('dateAdd(parseDate("2023-10-28T02:30"), 1, "days")', BERLIN),
    "October 29, 2023 02:30",
  );
});

Deno.test("a skipped clock time is moved on; a repeated one is the first", () => {
  assertEquals(shown('parseDate("2023-03-26T02:30")', BERLIN), "March 26, 2023 03:30");
  assertEquals(
    shown('dateAdd(parseDate("2023-03-25T02:30"), 1, "days")', BERLIN),
    "March 26, 2023 03:30",
  );
  assertEquals(
    shown('timestamp(parseDate("2023-10-29T02:30"))', BERLIN),
    `${Date.UTC(2023, 9, 29, 0, 30)}`,
  );
  // Samoa had no December 30th in 2011.
  assertEquals(
    shown('dateAdd(parseDate("2011-12-29"), 1, "days")', "Pacific/Apia"),
    "December 31, 2011",
  );
});

Deno.test("a day that the month does not have becomes its last day", () => {
  assertEquals(shown('dateAdd(parseDate("2024-02-29"), 1, "years")'), "February 28, 2025");
  assertEquals(shown('dateAdd(parseDate("2024-02-29"), 4, "years")'), "February 29, 2028");
  assertEquals(shown('dateAdd(parseDate("2023-12-31"), 2, "months")'), "February 29, 2024");
  assertEquals(shown('dateAdd(parseDate("1900-01-31"), 1, "months")'), "February 28, 1900");
  assertEquals(shown('dateAdd(parseDate("0001-03-31"), -1, "months")'), "February 28, 1");
  assertEquals(
    shown('dateBetween(parseDate("2025-02-28"), parseDate("2024-02-29"), "years")'),
    "1",
  );
});

Deno.test("adding to a range moves both ends; measuring it uses its start", () => {
  const range = 'dateRange(parseDate("2023-01-31"), parseDate("2023-02-10"))';
  assertEquals(shown(`dateAdd(${range}, 1, "months")`), "February 28, 2023 → March 10, 2023");
  assertEquals(shown(`month(${range})`), "1");
  assertEquals(shown(`${range} < parseDate("2023-02-01")`), "true");
  assertEquals(
    shown(`dateAdd(${range}, 30, "minutes")`),
    "January 31, 2023 00:30 → February 10, 2023 00:30",
  );
});

const times = fc.integer({ min: Date.UTC(1950, 0), max: Date.UTC(2090, 0) });
const zones = fc.constantFrom(...ZONES);

Deno.test("fields and midnights agree with the platform's own calendar", () => {
  fc.assert(fc.property(times, zones, (time, zone) => {
    const date = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone);
    const wall = toWall(time, zone);
    const { year, month, day, hour, minute, weekday } = fieldsOf(wall);
    assertEquals([year, month, day, hour, minute, weekday], [
      date.year,
      date.month,
      date.day,
      date.hour,
      date.minute,
      date.dayOfWeek,
    ]);
    assertEquals(isoWeek(wall), { year: date.yearOfWeek ?? 0, week: date.weekOfYear ?? 0 });
    assertEquals(midnightOf(time, zone), date.startOfDay().epochMilliseconds);
  }));
});

Deno.test("addToDate() agrees with the platform's own calendar", () => {
  const amounts = fc.integer({ min: -500, max: 500 });
  const units = fc.constantFrom("years", "months", "weeks", "days", "hours", "minutes");
  fc.assert(fc.property(times, amounts, units, zones, (start, amount, unit, zone) => {
    const date = { kind: "date", start, end: null, hasTime: true } as const;
    const expected = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(zone)
      .add({ [unit]: amount });
    assertEquals(addToDate(date, amount, { unit, zone })?.start, expected.epochMilliseconds);
  }));
});

Deno.test("wholeUnitsBetween() changes its sign with the order and never exceeds the difference", () => {
  const units = fc.constantFrom(...UNITS);
  fc.assert(fc.property(times, times, units, (a, b, unit) => {
    const options = { unit, zone: "UTC" };
    const count = wholeUnitsBetween(a, b, options);
    assertEquals(wholeUnitsBetween(b, a, options) + count, 0);
    const [earlier, later] = [Math.min(a, b), Math.max(a, b)];
    const from = { kind: "date", start: earlier, end: null, hasTime: true } as const;
    const steps = Math.abs(count);
    const reached = addToDate(from, steps, options)?.start ?? NaN;
    const beyond = addToDate(from, steps + 1, options)?.start ?? NaN;
    assertEquals([reached <= later, beyond > later], [true, true]);
  }));
});

Deno.test("fromWall() inverts toWall() except when clocks go back", () => {
  fc.assert(fc.property(times, zones, (time, zone) => {
    const back = fromWall(toWall(time, zone), zone);
    assertEquals(toWall(back, zone), toWall(time, zone));
    assertEquals(back <= time && time - back <= 24 * 3_600_000, true);
  }));
});
