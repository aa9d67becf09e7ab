import fc from "fast-check";
import { overlapsOf, pairsOf, runsOf } from "../../../src/search/text/overlaps.ts";
import { isUnspaced } from "../../../src/search/text/segment.ts";
import { spaced } from "../../../src/search/text/spaced.ts";
import { assertEquals } from "../../assert.ts";

const text = fc.array(
  fc.constantFrom("あ", "い", "東", "京", "𠮷", "ก", "a", "b1", " ", "。", "ー", "한"),
  { maxLength: 12 },
).map((letters) => spaced(letters.join("")));

Deno.test("overlaps are pairs that are no words, and characters that begin none", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3 }), (texts) => {
      const terms = texts.filter(isUnspaced).flatMap((words) => [...words.trim().split(" "), ""]);
      const runs = runsOf(terms);
      const isPair = (pair: string) => !terms.includes(pair);
      const isOwn = (character: string) => !terms.some((term) => term.startsWith(character));
      const pairs = runs.flatMap(pairsOf).filter(isPair);
      const last = runs.flatMap((run) => [...run].slice(-1)).filter(isOwn);
      const all = runs.flatMap((run) => [...run]).filter(isOwn);
      assertEquals(overlapsOf(texts, "last").sort(), [...new Set([...pairs, ...last])].sort());
      assertEquals(overlapsOf(texts, "all").sort(), [...new Set([...pairs, ...all])].sort());
    }),
    { numRuns: 1_000 },
  );
});
