import fc from "fast-check";
import { fold } from "../../src/content/schema/collation.ts";
import { spaced } from "../../src/search/text/spaced.ts";
import { normalized, withShortRuns } from "../../src/shared/normalize.ts";
import { assert, assertEquals } from "../assert.ts";

const FORMS = ["NFC", "NFD", "NFKC", "NFKD"] as const;
/** Marks of several classes, which a normal form puts in order. */
const MARKS = ["\u0301", "\u0316", "\u0327", "\u0345", "\u0334", "\u{1D165}"];

const mark = fc.constantFrom(...MARKS);
const letter = fc.constantFrom("a", "é", "ΐ", "ﬃ", "か", "ガ", "한", "\u0929", "1", " ");
const marked = (most: number) =>
  fc.array(fc.tuple(letter, fc.array(mark, { maxLength: most })), { maxLength: 6 })
    .map((letters) => letters.map(([one, marks]) => one + marks.join("")).join(""));

Deno.test("normalized() is normalize() of texts with at most 30 marks behind a letter", () => {
  fc.assert(
    fc.property(marked(30), fc.constantFrom(...FORMS), (text, form) => {
      assertEquals(normalized(text, form), text.normalize(form));
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("withShortRuns() keeps 30 marks of a run", () => {
  const marks = MARKS.join("").repeat(20);
  const kept = MARKS.join("").repeat(5);
  assertEquals(withShortRuns(`a${marks}b${marks}`), `a${kept}b${kept}`);
});

Deno.test("folding a folded text changes nothing, however many marks it has", () => {
  fc.assert(
    fc.property(marked(80), (text) => assertEquals(fold(fold(text)), fold(text))),
    { numRuns: 1_000 },
  );
});

Deno.test("a text of 200,000 marks is folded and split into words", () => {
  const text = `a${MARKS.slice(0, 5).join("").repeat(40_000)}`;
  assert(fold(text).length <= 40);
  assert(spaced(text).length <= 80);
});
