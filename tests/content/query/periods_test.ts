import { periodOf, RELATIVE } from "../../../src/content/properties/shared/periods.ts";
import { assertEquals } from "../../assert.ts";

const iso = ({ from, to }: { readonly from: number; readonly to: number }) =>
  [from, to].map((time) => new Date(time).toISOString());

Deno.test("a date is a whole UTC day; a datetime is one millisecond, in UTC without an offset", () => {
  assertEquals(iso(periodOf("2024-02-29")), [
    "2024-02-29T00:00:00.000Z",
    "2024-03-01T00:00:00.000Z",
  ]);
  const moment = ["2024-02-29T12:30:00.000Z", "2024-02-29T12:30:00.001Z"];
  assertEquals(iso(periodOf("2024-02-29T12:30:00Z")), moment);
  assertEquals(iso(periodOf("2024-02-29T12:30")), moment);
  assertEquals(iso(periodOf("2024-02-29T14:30:00+02:00")), moment);
  assertEquals(iso(periodOf("2024-02-29T14:30:00+0200")), moment);
});

Deno.test("relative periods consist of whole UTC days around now", () => {
  // A Thursday, at the end of a long month.
  const now = Date.parse("2026-12-31T23:59:59.999Z");
  const days = Object.entries(RELATIVE).map(([name, period]) => {
    const { from, to } = period(now);
    return [name, ...iso({ from, to }).map((time) => time.slice(0, 10))];
  });
  assertEquals(days, [
    ["this_week", "2026-12-28", "2027-01-04"],
    ["past_week", "2026-12-24", "2027-01-01"],
    ["past_month", "2026-11-30", "2027-01-01"],
    ["past_year", "2025-12-31", "2027-01-01"],
    ["next_week", "2026-12-31", "2027-01-08"],
    ["next_month", "2026-12-31", "2027-02-01"],
    ["next_year", "2026-12-31", "2028-01-01"],
  ]);
});

Deno.test("this week begins on Monday, even if today is Sunday", () => {
  const { from, to } = RELATIVE.this_week(Date.parse("2026-11-22T08:00:00Z"));
  assertEquals(iso({ from, to }), ["2026-11-16T00:00:00.000Z", "2026-11-23T00:00:00.000Z"]);
});

Deno.test("a month or year earlier falls on the month's last day if the month is too short", () => {
  const { from } = RELATIVE.past_year(Date.parse("2024-02-29T08:00:00Z"));
  assertEquals(new Date(from).toISOString(), "2023-02-28T00:00:00.000Z");
});
