import { type Neighbours, rankPages } from "../../src/search/rank.ts";
import { createPageVectors, type PageVectors } from "../../src/search/vectors/page_vectors.ts";
import { pack, toUnit, type Vector } from "../../src/search/vectors/vector.ts";
import { assertEquals } from "../assert.ts";

const vectorOf = (...entries: number[]) => toUnit(Float32Array.from(entries));

function pagesWith(
  vectors: Readonly<Record<string, readonly (readonly number[])[]>>,
): Neighbours {
  const pages = createPageVectors(3);
  for (const [pageId, passages] of Object.entries(vectors)) {
    pages.put(pageId, passages.map((passage) => pack(vectorOf(...passage))));
  }
  return neighbours(pages);
}

function neighbours(pages: PageVectors): Neighbours {
  const nearest = (vector: Vector) => Promise.resolve(pages.nearest(vector, 200));
  const compare = (vector: Vector, ids: readonly string[]) =>
    pages.nearest(vector, ids.length, new Set(ids));
  return { nearest, compare, vector: pages.vector };
}

Deno.test("rankPages() ranks pages by their nearest passage, and returns its number", async () => {
  const pages = pagesWith({ a: [[0, 1, 0], [1, 0.1, 0]], b: [[1, 1, 0]], c: [[0, 0, 1]] });
  const ranked = await rankPages(pages, { vector: vectorOf(1, 0, 0) });
  assertEquals(ranked.map(({ pageId, passage }) => [pageId, passage]), [["a", 1], ["b", 0], [
    "c",
    0,
  ]]);
});

Deno.test("rankPages() learns from the first results what else is relevant", async () => {
  const near = [1, 0.9, 0];
  const vectors = { a: [near], b: [near], d: [near], e: [near], f: [near] };
  // Both are as far from the question itself; one lies where its answers lie.
  const pages = pagesWith({ ...vectors, x: [[0.4, 1, 0]], y: [[0.4, 0, 1]] });
  const ranked = (await rankPages(pages, { vector: vectorOf(1, 0, 0) })).map(({ pageId }) =>
    pageId
  );
  assertEquals(ranked.slice(-2), ["x", "y"]);
  const swapped = pagesWith({ ...vectors, x: [[0.4, 0, 1]], y: [[0.4, 1, 0]] });
  const turned = (await rankPages(swapped, { vector: vectorOf(1, 0, 0) })).map(({ pageId }) =>
    pageId
  );
  assertEquals(turned.slice(-2), ["y", "x"]);
});

Deno.test("rankPages() includes pages that only the keyword search found", async () => {
  const pages = pagesWith({ a: [[1, 0, 0]], b: [[0, 1, 0]] });
  const byWords = [{ pageId: "w", score: 12 }, { pageId: "b", score: 1 }];
  const ranked = await rankPages(pages, { vector: vectorOf(1, 0, 0), byWords });
  const found = ranked.find(({ pageId }) => pageId === "w");
  assertEquals(ranked.length, 3);
  assertEquals(found?.passage, undefined);
});

Deno.test("rankPages() uses only the keyword ranking if the question has a zero vector", async () => {
  const pages = pagesWith({ a: [[1, 0, 0]], b: [[0, 1, 0]], c: [[0, 0, 1]] });
  const byWords = [{ pageId: "c", score: 3 }, { pageId: "b", score: 2 }];
  const ranked = await rankPages(pages, { vector: vectorOf(0, 0, 0), byWords });
  assertEquals(ranked[0]?.pageId, "c");
});

Deno.test("rankPages() returns the keyword ranking if there are no vectors", async () => {
  const byWords = [{ pageId: "b", score: 3 }, { pageId: "a", score: 2 }];
  const ranked = await rankPages(neighbours(createPageVectors(3)), {
    vector: vectorOf(1, 0, 0),
    byWords,
  });
  assertEquals(ranked.map(({ pageId }) => pageId), ["b", "a"]);
  assertEquals(
    await rankPages(neighbours(createPageVectors(3)), { vector: vectorOf(1, 0, 0) }),
    [],
  );
});
