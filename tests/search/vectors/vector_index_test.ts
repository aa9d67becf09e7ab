import fc from "fast-check";
import { createPageVectors } from "../../../src/search/vectors/page_vectors.ts";
import { pack } from "../../../src/search/vectors/vector.ts";
import { createVectorIndex, type VectorIndex } from "../../../src/search/vectors/vector_index.ts";
import { assert, assertEquals } from "../../assert.ts";
import { createClusters } from "../../support/clusters.ts";

const DIMENSIONS = 32;
const CLUSTERS = {
  dimensions: DIMENSIONS,
  fields: 20,
  subjects: 200,
  spread: { subject: 1, text: 1 },
};

/** An index and, kept beside it, the row of each vector by its number. */
function openIndex(
  undivided: number,
  piece = 1,
): { index: VectorIndex; rows: Map<number, number> } {
  const rows = new Map<number, number>();
  const numberOf = (row: number) => rows.entries().find(([, own]) => own === row)?.[0] ?? -1;
  const onMove = (from: number, to: number) => void rows.set(numberOf(from), to);
  return { index: createVectorIndex({ dimensions: DIMENSIONS, undivided, piece, onMove }), rows };
}

/** The rows that a search shows with their cosines, in the order in which it does. */
function shown(index: VectorIndex, question: Int8Array, atLeast = Infinity): [number, number][] {
  const all: [number, number][] = [];
  index.search(question).visit((first, cosines, count) => {
    for (let i = 0; i < count; i++) all.push([first + i, cosines[i] ?? NaN]);
  }, (shown) => shown >= atLeast);
  return all;
}

type Step = "add" | "remove" | "arrange";
const steps = fc.array(fc.constantFrom<Step>("add", "add", "remove", "arrange", "arrange"), {
  maxLength: 300,
});

Deno.test("a search of all lists shows each vector once, after any additions, removals and divisions", () => {
  const small = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(steps, small, small, fc.integer({ min: 1 }), (steps, undivided, piece, seed) => {
      const { index, rows } = openIndex(undivided, piece);
      const draw = createClusters(CLUSTERS, seed);
      const vectors = new Map<number, Int8Array>();
      for (const [number, step] of steps.entries()) {
        if (step === "arrange") index.arrange();
        if (step === "add") {
          vectors.set(number, pack(draw()));
          rows.set(number, index.add(vectors.get(number) ?? new Int8Array()));
        }
        const [first] = vectors.keys();
        if (step === "remove" && first !== undefined) {
          const row = rows.get(first) ?? NaN;
          vectors.delete(first);
          rows.delete(first);
          index.remove(row);
        }
      }
      const question = pack(draw());
      const found = new Map(shown(index, question));
      assertEquals(found.size, shown(index, question).length);
      assertEquals([...found.keys()].sort(), [...rows.values()].sort());
      for (const [number, row] of rows) {
        assertEquals([...index.get(row)], [...vectors.get(number) ?? []]);
        assertEquals(found.get(row), index.search(question).cosine(row));
      }
    }),
    { numRuns: 50 },
  );
});

Deno.test("a divided search reads only some lists", () => {
  const { index } = openIndex(1_000, 65_536);
  const draw = createClusters(CLUSTERS, 5);
  for (let i = 0; i < 4_000; i++) index.add(pack(draw()));
  while (index.arrange());
  const { length } = shown(index, pack(draw()), 500);
  assert(length >= 500 && length < 1_000, `${length} of 4000`);
});

Deno.test("a divided search finds most near vectors, with exact scores", () => {
  const COUNT = 6_000;
  const LIMIT = 10;
  const QUESTIONS = 50;
  const draw = createClusters(CLUSTERS, 7);
  const exact = createPageVectors(DIMENSIONS);
  const divided = createPageVectors(DIMENSIONS, { undivided: 5_000 });
  for (let number = 0; number < COUNT; number++) {
    const passages = [pack(draw()), pack(draw())];
    exact.put(`${number}`, passages);
    divided.put(`${number}`, passages);
    // The last ones come while the others are divided, and after it.
    if (number > COUNT / 2) divided.arrange();
  }
  while (divided.arrange());
  let found = 0;
  for (let i = 0; i < QUESTIONS; i++) {
    const question = draw();
    const near = new Set(exact.nearest(question, LIMIT).map(({ pageId }) => pageId));
    const nearest = divided.nearest(question, LIMIT);
    const ids = nearest.map(({ pageId }) => pageId);
    assertEquals(ids.length, LIMIT);
    assertEquals(nearest, exact.nearest(question, LIMIT, new Set(ids)));
    found += ids.filter((id) => near.has(id)).length;
  }
  const recall = found / (QUESTIONS * LIMIT);
  assert(recall > 0.9, `recall ${recall}`);
});

Deno.test("a divided search finds as many pages as requested, however many passages they have", () => {
  const draw = createClusters(CLUSTERS, 11);
  const question = draw();
  const vectors = createPageVectors(DIMENSIONS, { undivided: 100 });
  vectors.put("near", Array.from({ length: 2_000 }, () => pack(question)));
  vectors.put("far", [pack(question.map((entry) => -entry))]);
  while (vectors.arrange());
  assertEquals(vectors.nearest(question, 2).map(({ pageId }) => pageId), ["near", "far"]);
});
