import fc from "fast-check";
import { linesOf, lineSteps } from "../../../src/search/text/parts.ts";
import { spaced, spacedSteps } from "../../../src/search/text/spaced.ts";
import { assert, assertEquals } from "../../assert.ts";

const word = fc.oneof(
  fc.constantFrom(
    "aBc",
    "node.js",
    "1,000",
    "1 000",
    "l'eau",
    "C#",
    ".NET",
    "a-b",
    "Müller",
    "für",
  ),
  fc.constantFrom(
    "北京大学",
    "。",
    "、",
    "สวัสดี",
    "🦉🏽",
    "½",
    "v1.2.3",
    "Dampfschifffahrt",
    "e\u0301",
    "\u200d",
  ),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const text = fc.array(fc.tuple(word, fc.constantFrom(" ", "\n", "", "。", "，", "-")), {
  maxLength: 30,
}).map((words) => words.flat().join(""));

function allOf<T>(steps: Generator<void, T, void>): readonly [result: T, steps: number] {
  for (let count = 1;; count++) {
    const step = steps.next();
    if (step.done === true) return [step.value, count];
  }
}

Deno.test("a text that is spaced in steps is as if it were spaced at once", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (text, length) => {
      assertEquals(allOf(spacedSteps(text, length))[0], allOf(spacedSteps(text, Infinity))[0]);
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("the lines of texts are the same in steps, of which a long text has many", () => {
  const long = "userName für Müller ".repeat(5_000);
  const [lines, steps] = allOf(lineSteps("b", ["short", "", long]));
  assertEquals(lines, linesOf("b", ["short", "", long]));
  assertEquals(lines, `b\n${spaced("short")}\nb\n${spaced(long)}\n`);
  assert(steps > 9, `${steps} steps`);
});
