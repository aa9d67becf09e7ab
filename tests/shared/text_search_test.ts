import fc from "fast-check";
import {
  indexIn,
  matchSteps,
  overlappingMatches,
  patternOf,
  splitBy,
} from "../../src/shared/text_search.ts";
import { assertEquals } from "../assert.ts";

/** Texts of few letters, in which long texts are found often. */
function repetitive(maxLength: number): fc.Arbitrary<string> {
  const piece = fc.tuple(fc.constantFrom("a", "b", "ab", "é", "\ud800"), fc.nat(20));
  return fc.array(piece, { maxLength }).map((pieces) =>
    pieces.map(([letters, times]) => letters.repeat(times)).join("")
  );
}

/** A text, and a part of it or another one. */
const textAndPart = fc.tuple(repetitive(20), repetitive(4), fc.nat(200), fc.nat(80))
  .map(([text, other, start, length]) => {
    const part = text.slice(start, start + length);
    return [text, part === "" ? other : part] as const;
  });

Deno.test("indexIn() finds what indexOf() finds, from any place", () => {
  fc.assert(
    fc.property(textAndPart, fc.nat(250), ([text, part], from) => {
      assertEquals(indexIn(text, part), text.indexOf(part));
      assertEquals(indexIn(text, part, from), text.indexOf(part, from));
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("splitBy() divides a text as split() does", () => {
  fc.assert(
    fc.property(textAndPart, fc.nat(5), ([text, separator], limit) => {
      fc.pre(separator !== "");
      assertEquals(splitBy(text, separator, limit), text.split(separator, limit));
      assertEquals(splitBy(text, separator, 1_000), text.split(separator, 1_000));
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("a search steps after each stretch of the text, and finds nothing empty", () => {
  const text = "a".repeat(100_000);
  const steps = [...matchSteps(patternOf(`${"a".repeat(50_000)}b`), text)];
  assertEquals(steps, Array.from({ length: 6 }, () => undefined));
  assertEquals([...matchSteps(patternOf(""), "abc")], []);
});

Deno.test("overlappingMatches() finds a text wherever it begins", () => {
  fc.assert(
    fc.property(textAndPart, ([text, part]) => {
      fc.pre(part !== "");
      const starts: number[] = [];
      for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) starts.push(at);
      assertEquals([...overlappingMatches(patternOf(part), text)], starts);
    }),
    { numRuns: 2_000 },
  );
});
