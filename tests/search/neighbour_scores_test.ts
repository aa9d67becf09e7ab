import fc from "fast-check";
import { withNeighbourScores } from "../../src/search/neighbour_scores.ts";
import { toUnit } from "../../src/search/vectors/vector.ts";
import { assert, assertEquals } from "../assert.ts";

const page = (pageId: string, score: number, ...entries: number[]) => ({
  pageId,
  score,
  vector: entries.length === 0 ? undefined : toUnit(Float32Array.from(entries)),
});

Deno.test("of two equal pages, the one beside the best comes first", () => {
  const pages = [page("best", 9, 1, 0), page("far", 3, 0, 1), page("near", 3, 1, 0.1)];
  const ranked = withNeighbourScores(pages, ({ vector }) => vector, 0.4);
  assertEquals(ranked.map(({ pageId }) => pageId), ["best", "near", "far"]);
});

Deno.test("a page without a vector keeps its score, and lends none", () => {
  const pages = [page("words", 9), page("a", 3, 1, 0), page("b", 3, 1, 0)];
  const ranked = withNeighbourScores(pages, ({ vector }) => vector, 0.4);
  assertEquals(ranked.map(({ score }) => Math.round(score * 1e6) / 1e6), [9, 3, 3]);
});

Deno.test("scores stay between the lowest and the highest, and no page is lost", () => {
  const any = fc.array(
    fc.tuple(fc.integer({ min: -9, max: 9 }), fc.float({ min: 0, max: 1, noNaN: true })),
    {
      minLength: 1,
      maxLength: 150,
    },
  );
  fc.assert(fc.property(any, (given) => {
    const pages = given.map(([score, angle], index) =>
      page(`p${index}`, score, Math.cos(angle), Math.sin(angle))
    ).sort((a, b) => b.score - a.score);
    const ranked = withNeighbourScores(pages, ({ vector }) => vector, 0.4);
    assertEquals(ranked.length, pages.length);
    const scores = given.map(([score]) => score);
    for (const { score } of ranked) {
      assert(score >= Math.min(...scores) - 1e-6 && score <= Math.max(...scores) + 1e-6);
    }
  }));
});
