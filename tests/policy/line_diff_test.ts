import fc from "fast-check";
import { lineDiff } from "../../src/policy/report/line_diff.ts";
import { assertEquals } from "../assert.ts";

const texts = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 })
  .map((lines) => lines.join("\n"));

/** Applies the lines of a difference. */
function apply(before: string, diff: string): string {
  const lines = before.split("\n").map((line): string | undefined => line);
  const entries = [...diff.matchAll(/^ *(\d+) ([-+]) (.*)$/gm)];
  for (const [, number, sign] of entries) {
    if (sign === "-") lines[Number(number) - 1] = undefined;
  }
  const result = lines.filter((line) => line !== undefined);
  for (const [, number, sign, line = ""] of entries) {
    if (sign === "+") result.splice(Number(number) - 1, 0, line);
  }
  return result.join("\n");
}

Deno.test("lineDiff() tells exactly what turns one text into the other", () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      assertEquals(apply(before, lineDiff(before, after)), after);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("lineDiff() of equal texts is empty, and one changed line is two lines", () => {
  fc.assert(fc.property(texts, (text) => assertEquals(lineDiff(text, text), "")));
  assertEquals(lineDiff("a\nb\nc", "a\nB\nc"), "    2 - b\n    2 + B\n");
});
