import { toFormulaResult } from "../../../src/content/formulas/result.ts";
import { assertEquals } from "../../assert.ts";
import { compiled, envIn } from "./support.ts";

function answerOf(expression: string, timeZone = "UTC"): unknown {
  const formula = compiled(expression);
  return toFormulaResult(formula.evaluate(envIn(timeZone)), {
    resultType: formula.resultType,
    timeZone,
  });
}

Deno.test("toFormulaResult() returns the value under the name of its type", () => {
  assertEquals(answerOf("1 + 1"), { type: "number", number: 2 });
  assertEquals(answerOf("1 / 0"), { type: "number", number: null });
  assertEquals(answerOf("0 * -1"), { type: "number", number: 0 });
  assertEquals(answerOf("1 < 2"), { type: "boolean", boolean: true });
  assertEquals(answerOf('"a"'), { type: "string", string: "a" });
  assertEquals(answerOf("empty()"), { type: "string", string: null });
});

Deno.test("toFormulaResult() turns lists, people and pages into text", () => {
  assertEquals(answerOf('prop("Tags")'), { type: "string", string: "red, blue" });
  assertEquals(answerOf('prop("Author")'), { type: "string", string: "Ada" });
  assertEquals(answerOf('prop("Tasks")'), { type: "string", string: "One, Two" });
  assertEquals(answerOf("[[1, 2], [3]]"), { type: "string", string: "1, 2, 3" });
});

Deno.test("toFormulaResult() returns days in the time zone, and datetimes in UTC", () => {
  const date = (start: string, end: string | null = null) => ({
    type: "date",
    date: { start, end, time_zone: null },
  });
  assertEquals(answerOf("now()"), date("2023-08-30T17:55:00.000Z"));
  assertEquals(answerOf("today()", "Asia/Tokyo"), date("2023-08-31"));
  assertEquals(answerOf('parseDate("0099-02-03")', "Asia/Tokyo"), date("0099-02-03"));
  assertEquals(
    answerOf('dateRange(parseDate("2023-01-01"), parseDate("2023-01-02"))', "America/New_York"),
    date("2023-01-01", "2023-01-02"),
  );
  assertEquals(answerOf('prop("No date")'), { type: "date", date: null });
});
