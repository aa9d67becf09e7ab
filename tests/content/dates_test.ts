import * as v from "valibot";
import { dateInput, dateIssues, normalizeDate, toDate } from "../../src/content/values/dates.ts";
import { assert, assertEquals } from "../assert.ts";

function expectations(input: v.InferOutput<typeof dateInput>): string[] {
  return dateIssues(input, "/date").map(({ pointer, detail }) =>
    `${pointer}: ${/should be (.*), instead/.exec(detail)?.[1]}`
  );
}

Deno.test("dateInput accepts only days and datetimes of ISO 8601", () => {
  const right = ["2024-02-29", "2024-02-29T10:00", "2024-02-29T10:00:00Z"];
  right.push("2024-02-29T10:00:00.123456+05:30", "2024-02-29T10:00-0800", "2024-02-29 10:00");
  for (const start of right) assert(v.is(dateInput, { start }), start);
  const wrong = ["", "today", "2024-2-9", "2024-13-01", "2024-02-29  10:00", "2024-02-29T24:00Z"];
  wrong.push("2024-02-29T10:00z", "2024-02-29T10", "2024-02-29\n", "2024-02-29Z");
  for (const start of wrong) assert(!v.is(dateInput, { start }), start);
});

Deno.test("dateIssues() accepts a day, and a datetime with an offset or a time zone", () => {
  assertEquals(expectations({ start: "2024-02-29", end: "2024-03-01" }), []);
  assertEquals(expectations({ start: "2024-02-29T10:00Z", end: null, time_zone: null }), []);
  assertEquals(expectations({ start: "2024-02-29T10:00", time_zone: "America/New_York" }), []);
  assertEquals(expectations({ start: "2024-02-29T10:00", time_zone: "utc" }), []);
});

Deno.test("dateIssues() rejects a day that does not exist", () => {
  assertEquals(expectations({ start: "2023-02-29", end: "2024-04-31T10:00Z" }), [
    "/date/start: a day that exists",
    "/date/end: a day that exists",
  ]);
});

Deno.test("dateIssues() accepts a datetime without an offset, which is in UTC", () => {
  assertEquals(expectations({ start: "2024-02-29T10:00", end: "2024-02-29 11:00" }), []);
});

Deno.test("dateIssues() refuses an end before the start", () => {
  const expected = ["/date/end: not before `start`"];
  assertEquals(expectations({ start: "2024-02-29", end: "2024-02-28" }), expected);
  assertEquals(
    expectations({ start: "2024-02-29T10:00+02:00", end: "2024-02-29T07:59Z" }),
    expected,
  );
  assertEquals(expectations({ start: "2024-02-29T10:00+02:00", end: "2024-02-29T08:00Z" }), []);
  assertEquals(expectations({ start: "2024-02-29T10:00Z", end: "2024-02-29" }), []);
});

Deno.test("dateIssues() refuses an offset beside a time zone", () => {
  const expected = "a datetime without an offset beside `time_zone`";
  assertEquals(
    expectations({ start: "2024-02-29T10:00Z", end: "2024-03-01", time_zone: "Asia/Tokyo" }),
    [`/date/start: ${expected}`, `/date/end: ${expected}`],
  );
});

Deno.test("dateIssues() accepts the time zones of IANA, and no offset as a time zone", () => {
  const start = "2024-02-29T10:00";
  for (const time_zone of ["Mars/Olympus", "+01:00", ""]) {
    assertEquals(expectations({ start, time_zone }), ["/date/time_zone: an IANA time zone"]);
  }
});

Deno.test("toDate() returns times with their offset, in milliseconds", () => {
  const start = (start: string, time_zone: string | null = null) =>
    toDate({ start, time_zone }).start;
  assertEquals(start("2024-02-29T10:00:00"), "2024-02-29T10:00:00.000+00:00");
  assertEquals(start("2024-02-29 10:00"), "2024-02-29T10:00:00.000+00:00");
  assertEquals(start("2024-02-29T10:00Z"), "2024-02-29T10:00:00.000+00:00");
  assertEquals(start("2024-02-29T10:00-0530"), "2024-02-29T10:00:00.000-05:30");
  assertEquals(start("2024-02-29T10:00:00.123456789+02:00"), "2024-02-29T10:00:00.123+02:00");
  assertEquals(start("2024-01-01T10:00", "America/New_York"), "2024-01-01T10:00:00.000-05:00");
  assertEquals(start("2024-07-01T10:00", "America/New_York"), "2024-07-01T10:00:00.000-04:00");
  assertEquals(start("2024-03-10T02:30", "America/New_York"), "2024-03-10T03:30:00.000-04:00");
  assertEquals(start("1800-01-01T00:00", "America/New_York"), "1800-01-01T00:00:02.000-04:56");
  assertEquals(start("9999-12-31T23:30-02:00"), "9999-12-31T23:30:00.000-02:00");
});

Deno.test("normalizeDate() keeps the moment of a date stored by an earlier version", () => {
  const stored = { start: "2024-01-01T10:00", end: "2024-01-02T10:00", time_zone: "Asia/Tokyo" };
  const read = normalizeDate(stored);
  assertEquals(read, {
    start: "2024-01-01T10:00:00.000+09:00",
    end: "2024-01-02T10:00:00.000+09:00",
    time_zone: null,
  });
  assert(normalizeDate(read) === read, "a normal date is the very same");
});

Deno.test("toDate() returns all three members", () => {
  const start = "2024-02-29";
  assertEquals(toDate({ start }), { start, end: null, time_zone: null });
});

Deno.test("toDate() keeps what is invalid", () => {
  const start = (start: string, time_zone: string | null = null) =>
    toDate({ start, time_zone }).start;
  assertEquals(start("2023-02-29T10:00+99:99"), "2023-02-29T10:00+99:99");
  assertEquals(start("2024-02-29T10:00", "Mars/Base"), "2024-02-29T10:00:00.000+00:00");
  assertEquals(start("0000-01-01T00:00+05:00"), "0000-01-01T00:00:00.000+05:00");
});
