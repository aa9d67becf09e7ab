import fc from "fast-check";
import { fuse, type Scored, wordWeight } from "../../src/search/fuse.ts";
import { assert, assertEquals } from "../assert.ts";

const ranking: fc.Arbitrary<Scored[]> = rankingFrom(-50);
/** A page that has one of the words has a score above 0. */
const wordRanking: fc.Arbitrary<Scored[]> = rankingFrom(1);

function rankingFrom(min: number): fc.Arbitrary<Scored[]> {
  return fc.uniqueArray(
    fc.record({
      pageId: fc.constantFrom(..."abcdefghijkl"),
      score: fc.integer({ min, max: 50 }),
    }),
    { selector: ({ pageId }) => pageId },
  );
}

function fused(byMeaning: readonly Scored[], byWords: readonly Scored[], weight = 0.5): Scored[] {
  return fuse({ byMeaning, byWords, weight });
}

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

Deno.test("fuse() does not depend on the scale of a ranking, nor on the offset of meaning", () => {
  const factor = fc.constantFrom(0.25, 0.5, 2, 64);
  const summand = fc.integer({ min: -64, max: 64 });
  fc.assert(
    fc.property(ranking, wordRanking, factor, summand, (meaning, words, factor, summand) => {
      const expected = rounded(fused(meaning, words));
      assertEquals(rounded(fused(scaled(meaning, factor, summand), words)), expected);
      assertEquals(rounded(fused(meaning, scaled(words, factor, 0))), expected);
    }),
  );
});

Deno.test("fuse() returns every page once, in any order of input", () => {
  fc.assert(fc.property(ranking, wordRanking, (meaning, words) => {
    const found = fused(meaning, words);
    assertEquals(order(found).sort(), [...new Set([...order(meaning), ...order(words)])].sort());
    assertEquals(rounded(fused(meaning.toReversed(), words.toReversed())), rounded(found));
  }));
});

Deno.test("fuse() follows one ranking if the other has no preference", () => {
  fc.assert(fc.property(wordRanking, (ranking) => {
    const sorted = ranking.toSorted((a, b) => b.score - a.score || (a.pageId < b.pageId ? -1 : 1));
    assertEquals(order(fused(ranking, [])), order(sorted));
    assertEquals(order(fused([], ranking)), order(sorted));
  }));
});

Deno.test("fuse() lets keywords decide between pages with equal semantic scores", () => {
  const meaning = [{ pageId: "a", score: 0.5 }, { pageId: "b", score: 0.5 }];
  const words = [{ pageId: "b", score: 9 }, { pageId: "c", score: 3 }];
  assertEquals(order(fused([...meaning, { pageId: "c", score: 0.1 }], words)), ["b", "a", "c"]);
});

const NEAR = Array.from({ length: 100 }, (_, index) => ({
  pageId: String(index).padStart(3, "0"),
  score: 1 / (index + 1),
}));

Deno.test("wordWeight() is higher where words and meaning find different pages", () => {
  const explained = 0.2;
  const same = wordWeight({ byMeaning: NEAR, byWords: NEAR.slice(0, 10), explained });
  const other = wordWeight({ byMeaning: NEAR, byWords: NEAR.slice(50), explained });
  assert(other > 2 * same, `${other} and ${same}`);
});

Deno.test("wordWeight() is higher the less of the question the model explains", () => {
  const weights = [0.05, 0.15, 0.4, 0.9].map((explained) =>
    wordWeight({ byMeaning: NEAR, byWords: NEAR.slice(0, 10), explained })
  );

  assertEquals(weights, weights.toSorted((a, b) => b - a));
  assert((weights[0] ?? 0) > 5 * (weights[3] ?? 0));
});

Deno.test("the only page with a rare word comes first, however near others are", () => {
  const common = NEAR.slice(0, 30).map(({ pageId }) => ({ pageId, score: 2 }));
  const byWords = [{ pageId: "z", score: 9 }, ...common];
  const weight = wordWeight({ byMeaning: NEAR, byWords, explained: 0.05 });
  assertEquals(order(fuse({ byMeaning: NEAR, byWords, weight }))[0], "z");
});
