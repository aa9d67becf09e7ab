import fc from "fast-check";
import { fuse, type Scored } from "../../src/search/fuse.ts";
import { assertEquals } from "../assert.ts";

const ranking: fc.Arbitrary<Scored[]> = fc.uniqueArray(
  fc.record({
    pageId: fc.constantFrom(..."abcdefghijkl"),
    score: fc.integer({ min: -50, max: 50 }),
  }),
  { selector: ({ pageId }) => pageId },
);

function order(ranking: readonly Scored[]): string[] {
  return ranking.map(({ pageId }) => pageId);
}

function scaled(ranking: readonly Scored[], factor: number, summand: number): Scored[] {
  return ranking.map(({ pageId, score }) => ({ pageId, score: score * factor + summand }));
}

function rounded(ranking: readonly Scored[]): unknown[] {
  return ranking.map(({ pageId, score }) => [pageId, Math.round(score * 1e9) / 1e9 + 0])
    .sort();
}

Deno.test("fuse() does not depend on the scale or offset of a ranking", () => {
  const factor = fc.constantFrom(0.25, 0.5, 2, 64);
  const summand = fc.integer({ min: -64, max: 64 });
  fc.assert(fc.property(ranking, ranking, factor, summand, (meaning, words, factor, summand) => {
    const fused = rounded(fuse(meaning, words));
    assertEquals(rounded(fuse(scaled(meaning, factor, summand), words)), fused);
    assertEquals(rounded(fuse(meaning, scaled(words, factor, summand))), fused);
  }));
});

Deno.test("fuse() returns every page once, in any order of input", () => {
  fc.assert(fc.property(ranking, ranking, (meaning, words) => {
    const fused = fuse(meaning, words);
    assertEquals(order(fused).sort(), [...new Set([...order(meaning), ...order(words)])].sort());
    assertEquals(rounded(fuse(meaning.toReversed(), words.toReversed())), rounded(fused));
  }));
});

Deno.test("fuse() follows one ranking if the other has no preference", () => {
  fc.assert(fc.property(ranking, (ranking) => {
    const sorted = ranking.toSorted((a, b) => b.score - a.score || (a.pageId < b.pageId ? -1 : 1));
    assertEquals(order(fuse(ranking, [])), order(sorted));
    assertEquals(order(fuse([], ranking)), order(sorted));
  }));
});

Deno.test("fuse() lets keywords decide between pages with equal semantic scores", () => {
  const meaning = [{ pageId: "a", score: 0.5 }, { pageId: "b", score: 0.5 }];
  const words = [{ pageId: "b", score: 9 }, { pageId: "c", score: 3 }];
  assertEquals(order(fuse([...meaning, { pageId: "c", score: 0.1 }], words)), ["b", "a", "c"]);
});
