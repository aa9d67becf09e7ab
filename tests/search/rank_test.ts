import { rankPages } from "../../src/search/rank.ts";
import { createPageVectors } from "../../src/search/vectors/page_vectors.ts";
import { pack, toUnit } from "../../src/search/vectors/vector.ts";
import { assertEquals } from "../assert.ts";

const vectorOf = (...entries: number[]) => toUnit(Float32Array.from(entries));

function pagesWith(vectors: Readonly<Record<string, readonly (readonly number[])[]>>) {
  const pages = createPageVectors(3);
  for (const [pageId, passages] of Object.entries(vectors)) {
    pages.put(pageId, passages.map((passage) => pack(vectorOf(...passage))));
  }
  return pages;
}

Deno.test("rankPages() ranks pages by their nearest passage, and says which it is", () => {
  const pages = pagesWith({ a: [[0, 1, 0], [1, 0.1, 0]], b: [[1, 1, 0]], c: [[0, 0, 1]] });
  const ranked = rankPages(pages, { vector: vectorOf(1, 0, 0) });
  assertEquals(ranked.map(({ pageId, passage }) => [pageId, passage]), [["a", 1], ["b", 0], [
    "c",
    0,
  ]]);
});

Deno.test("rankPages() learns from the first answers what else belongs to the question", () => {
  const near = [1, 0.9, 0];
  const vectors = { a: [near], b: [near], d: [near], e: [near], f: [near] };
  // Both are as far from the question itself; one lies where its answers lie.
  const pages = pagesWith({ ...vectors, x: [[0.4, 1, 0]], y: [[0.4, 0, 1]] });
  const ranked = rankPages(pages, { vector: vectorOf(1, 0, 0) }).map(({ pageId }) => pageId);
  assertEquals(ranked.slice(-2), ["x", "y"]);
  const swapped = pagesWith({ ...vectors, x: [[0.4, 0, 1]], y: [[0.4, 1, 0]] });
  const turned = rankPages(swapped, { vector: vectorOf(1, 0, 0) }).map(({ pageId }) => pageId);
  assertEquals(turned.slice(-2), ["y", "x"]);
});

Deno.test("rankPages() brings in pages that only their words found", () => {
  const pages = pagesWith({ a: [[1, 0, 0]], b: [[0, 1, 0]] });
  const byWords = [{ pageId: "w", score: 12 }, { pageId: "b", score: 1 }];
  const ranked = rankPages(pages, { vector: vectorOf(1, 0, 0), byWords });
  const found = ranked.find(({ pageId }) => pageId === "w");
  assertEquals(ranked.length, 3);
  assertEquals(found?.passage, undefined);
});

Deno.test("rankPages() of a question that means nothing orders by words alone", () => {
  const pages = pagesWith({ a: [[1, 0, 0]], b: [[0, 1, 0]], c: [[0, 0, 1]] });
  const byWords = [{ pageId: "c", score: 3 }, { pageId: "b", score: 2 }];
  const ranked = rankPages(pages, { vector: vectorOf(0, 0, 0), byWords });
  assertEquals(ranked[0]?.pageId, "c");
});

Deno.test("rankPages() of no pages is what words find", () => {
  const byWords = [{ pageId: "b", score: 3 }, { pageId: "a", score: 2 }];
  const ranked = rankPages(createPageVectors(3), { vector: vectorOf(1, 0, 0), byWords });
  assertEquals(ranked.map(({ pageId }) => pageId), ["b", "a"]);
  assertEquals(rankPages(createPageVectors(3), { vector: vectorOf(1, 0, 0) }), []);
});
