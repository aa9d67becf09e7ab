import fc from "fast-check";
import { momentTime } from "../../src/content/moments.ts";
import { assertEquals } from "../assert.ts";

Deno.test("momentTime() reads a day as its first moment in UTC", () => {
  assertEquals(momentTime("2024-02-29"), Date.UTC(2024, 1, 29));
  assertEquals(momentTime("2024-02-29", "Asia/Tokyo"), Date.UTC(2024, 1, 29));
});

Deno.test("momentTime() goes by the offset, then by the zone, then by UTC", () => {
  const noon = Date.UTC(2024, 6, 1, 12);
  assertEquals(momentTime("2024-07-01T17:30+05:30"), noon);
  assertEquals(momentTime("2024-07-01T17:30+0530"), noon);
  assertEquals(momentTime("2024-07-01T12:00:00.000Z"), noon);
  assertEquals(momentTime("2024-07-01T14:00", "Europe/Paris"), noon);
  assertEquals(momentTime("2024-07-01T14:00:00.25", "europe/paris"), noon + 250);
  assertEquals(momentTime("2024-07-01T09:30", "America/St_Johns"), noon);
  assertEquals(momentTime("2024-07-01T12:00"), noon);
});

Deno.test("momentTime() knows that clocks change", () => {
  assertEquals(momentTime("2024-03-31T01:59", "Europe/Paris"), Date.UTC(2024, 2, 31, 0, 59));
  assertEquals(momentTime("2024-03-31T03:00", "Europe/Paris"), Date.UTC(2024, 2, 31, 1));
  assertEquals(momentTime("2024-10-27T01:59", "Europe/Paris"), Date.UTC(2024, 9, 26, 23, 59));
  assertEquals(momentTime("2024-10-27T03:00", "Europe/Paris"), Date.UTC(2024, 9, 27, 2));
});

Deno.test("momentTime() reads back the time that a zone's own clock shows", () => {
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
