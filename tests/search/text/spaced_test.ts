import fc from "fast-check";
import { linesOf, lineSteps } from "../../../src/search/text/parts.ts";
import { countOf, occursIn, spaced, spacedSteps } from "../../../src/search/text/spaced.ts";
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

/** Runs of scripts without spaces that are longer than what is segmented at once. */
const longRun = fc.array(
  fc.tuple(
    fc.array(fc.constantFrom("北", "京", "ｶﾞ", "か\u3099", "ส", "วั", "\u{20000}", "ក្"), {
      minLength: 3,
    }),
    fc.integer({ min: 1, max: 400 }),
    fc.constantFrom("", "", "。", "🦉🏽", "abc"),
  ).map(([letters, times, end]) => `${letters.join("").repeat(times)}${end}`),
  { minLength: 1, maxLength: 5 },
).map((runs) => runs.join(""));

Deno.test("a long text without spaces is divided in the same way in steps of any length", () => {
  fc.assert(
    fc.property(longRun, fc.integer({ min: 1, max: 3_000 }), (text, length) => {
      assertEquals(allOf(spacedSteps(text, length))[0], allOf(spacedSteps(text, Infinity))[0]);
      assert(
        allOf(spacedSteps(text))[1] >= text.length / 10_000,
      );
    }),
    { numRuns: 60 },
  );
  for (
    const letters of [
      "北",
      "ส",
      "か\u3099",
      "北a",
      "北🦉",
      "aB-",
      "a,",
      "a\u00a0",
      "ཀ་",
      "👩🏽‍🚀",
      "\u0301",
      `北${"\u0301".repeat(9)}`,
    ]
  ) {
    const [, steps] = allOf(spacedSteps(letters.repeat(10_000)));
    assert(steps >= 5, `${steps} steps of ${letters}`);
  }
});

Deno.test("every stretch of a long text without spaces is found in it", () => {
  const letters = Array.from({ length: 6_000 }, (_, at) => String.fromCodePoint(0x4e00 + at));
  const words = spaced(letters.join(""));
  for (let at = 0; at < letters.length - 4; at++) {
    const terms = spaced(letters.slice(at, at + 4).join("")).trim().split(" ");
    assert(occursIn(words, { terms, isPrefix: false, isInside: true }), `at ${at}`);
  }
});

Deno.test("the lines of texts are the same in steps, of which a long text has many", () => {
  const long = "userName für Müller ".repeat(5_000);
  const [lines, steps] = allOf(lineSteps("b", ["short", "", long]));
  assertEquals(lines, linesOf("b", ["short", "", long]));
  assertEquals(lines, `b\n${spaced("short")}\nb\n${spaced(long)}\n`);
  assert(steps > 9, `${steps} steps`);
});

/** A text of few words, in which phrases overlap, and a phrase of some of them. */
const repetitive = fc.array(fc.constantFrom("a", "b", "aa"), { maxLength: 60 });
const repetitivePhrase = fc.record({
  terms: fc.array(fc.constantFrom("a", "b", "aa"), { minLength: 1, maxLength: 30 }),
  isPrefix: fc.boolean(),
});

Deno.test("a phrase is counted at every word with which it begins, however long it is", () => {
  fc.assert(
    fc.property(repetitive, repetitivePhrase, (terms, phrase) => {
      const isAt = (at: number) =>
        phrase.terms.every((term, index) => {
          const own = terms[at + index] ?? "";
          const isLast = index === phrase.terms.length - 1;
          return phrase.isPrefix && isLast ? own.startsWith(term) : own === term;
        });
      const words = ` ${terms.join(" ")} `;
      const count = terms.keys().filter(isAt).toArray().length;
      assertEquals(countOf(words, phrase), count);
      assertEquals(occursIn(words, phrase), count > 0);
    }),
    { numRuns: 3_000 },
  );
});

/** Counts the characters that are read one by one. */
function charactersRead(run: () => void): number {
  const original = String.prototype.charCodeAt;
  let count = 0;
  String.prototype.charCodeAt = function (index) {
    count++;
    return original.call(this, index);
  };
  try {
    run();
  } finally {
    String.prototype.charCodeAt = original;
  }
  return count;
}

Deno.test("a phrase that repeats itself is counted in one pass through a text that does", () => {
  const words = ` ${"a ".repeat(3_000)}`;
  const phrase = { terms: Array<string>(490).fill("a"), isPrefix: false };
  const read = charactersRead(() => assertEquals(countOf(words, phrase), 3_000 - 489));
  assert(read < 5 * words.length, `${read} characters read`);
});

Deno.test("a letter that is a phrase makes steps shorter, and a long run of them few words", () => {
  const steps = (letter: string) => allOf(spacedSteps(`${letter} `.repeat(10_000)))[1];
  assertEquals([steps("a"), steps("\uFDFA")], [2, 20]);
  const run = spaced(`${"\uFDFA".repeat(10_000)} end`);
  assert(run.startsWith(" صلي الله عليه ") && run.endsWith(" end "));
  assert(run.length < 5_000, `${run.length} characters`);
});

Deno.test("of very many words with one beginning, a text is asked for the forms of some", () => {
  let asked = 0;
  const accepts = (term: string) => {
    asked++;
    return term === "ab1" || term === "ab29999";
  };
  const phrase = { terms: ["ab"], isPrefix: true, accepts };
  const words = spaced(Array.from({ length: 30_000 }, (_, index) => `ab${index}`).join(" "));
  assertEquals([countOf(words, phrase), asked], [1, 2_000]);
});
