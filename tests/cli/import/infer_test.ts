/**
 * Inference of the types of columns.
 *
 * @module
 */
import fc from "fast-check";
import { cellValue, type Column } from "../../../src/cli/import/tables/column.ts";
import { type InferOptions, profileColumn } from "../../../src/cli/import/tables/infer.ts";
import { assertEquals, assertStringIncludes } from "../../assert.ts";

function infer(cells: readonly string[], options?: InferOptions): Column {
  const profile = profileColumn("Column");
  cells.forEach(profile.add);
  return profile.finish(options);
}

/** The type of a column, and the value of its first cell. */
function read(cells: readonly string[], options?: InferOptions): unknown {
  const column = infer(cells, options);
  return cellValue(column, cells[0] ?? "");
}

const text = (content: string) => ({ rich_text: [{ text: { content } }] });

Deno.test("a column has a type only if every value has it", () => {
  assertEquals(read(["12", "3.5", ""]), { number: 12 });
  assertEquals(read(["12", "3.5", "none"]), text("12"));
  assertEquals(read(["Yes", "no"]), { checkbox: true });
  assertEquals(read(["https://a.example/x", "http://b.example"]), { url: "https://a.example/x" });
  assertEquals(read(["a@b.example"]), { email: "a@b.example" });
  assertEquals(read(["+49 30 1234567"]), { phone_number: "+49 30 1234567" });
});

Deno.test("digits that are names of something stay text", () => {
  for (const cell of ["007", "1e5", "1234567890123456", "1.2.3"]) {
    assertEquals(read([cell, "12"]), text(cell));
  }
});

Deno.test("numbers are read with the separators and the unit of their column", () => {
  assertEquals(read(["1,234.56", "7"]), { number: 1234.56 });
  assertEquals(read(["1.234,56", "7"]), { number: 1234.56 });
  assertEquals(read(["$233,357.56", "-$8,300.00"]), { number: 233357.56 });
  assertEquals(read(["-$8,300.00", "$1.00"]), { number: -8300 });
  assertEquals(read(["7%", "120%"]), { number: 0.07 });
  assertEquals(read(["R$67.3"]), { number: 67.3 });
  assertEquals(read(["$5", "€5"]), text("$5"));
});

Deno.test("what can be read in two ways is not guessed, but said", () => {
  assertEquals(read(["1,234", "5,678"]), text("1,234"));
  assertStringIncludes(infer(["1,234"]).note ?? "", "--decimals");
  assertEquals(read(["1,234"], { decimals: "comma" }), { number: 1.234 });
  assertEquals(read(["1,234"], { decimals: "point" }), { number: 1234 });
  assertEquals(read(["03/04/2026"]), text("03/04/2026"));
  assertStringIncludes(infer(["03/04/2026"]).note ?? "", "--dates");
  assertEquals(read(["03/04/2026"], { dates: "dmy" }), { date: { start: "2026-04-03" } });
  assertEquals(read(["03/04/2026", "31/01/2026"]), { date: { start: "2026-04-03" } });
});

Deno.test("dates and ranges are read as exports write them", () => {
  const dates: readonly (readonly [string, object])[] = [
    ["2026-02-28", { start: "2026-02-28" }],
    ["April 23, 2024", { start: "2024-04-23" }],
    ["September 17, 2024 1:52 PM", { start: "2024-09-17T13:52:00" }],
    ["April 23, 2024 → May 22, 2024", { start: "2024-04-23", end: "2024-05-22" }],
    ["23 Apr 2024", { start: "2024-04-23" }],
    ["31.12.2025", { start: "2025-12-31" }],
    ["2024/04/23", { start: "2024-04-23" }],
  ];
  for (const [cell, date] of dates) assertEquals(read([cell]), { date });
  assertEquals(read(["2026-02-30"]), text("2026-02-30"));
});

Deno.test("few values that repeat are options, and lists of them several", () => {
  const states = Array.from({ length: 40 }, (_, at) => ["open", "done"][at % 2] ?? "");
  assertEquals(read(states), { select: { name: "open" } });
  const tags = Array.from({ length: 40 }, (_, at) => ["a, b", "b", "a, c"][at % 3] ?? "");
  assertEquals(read(tags), { multi_select: [{ name: "a" }, { name: "b" }] });
});

Deno.test("every number that JavaScript writes plainly is read back", () => {
  fc.assert(fc.property(
    fc.array(fc.integer({ min: -999_999_999, max: 999_999_999 }), { minLength: 1 }),
    fc.constantFrom(1, 10, 100),
    (integers, divisor) => {
      const numbers = integers.map((one) => one / divisor);
      const column = infer(numbers.map(String), { decimals: "point" });
      assertEquals(
        numbers.map((one) => cellValue(column, String(one))),
        numbers.map((number) => ({
          number: number === 0 ? 0 : number,
        })),
      );
    },
  ));
});

Deno.test("every value fits the column that was inferred from it", () => {
  const cell = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "Yes",
      "1,5",
      "007",
      "$5",
      "5 %",
      "2026-01-02",
      "1/2/2026",
      "a, b",
      "x@y.zz",
      "→",
    ),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.double({ noNaN: true }).map(String),
  );
  fc.assert(fc.property(fc.array(cell), (cells) => {
    const column = infer(cells);
    cells.forEach((one) => cellValue(column, one));
  }));
});
