import fc from "fast-check";
import { highest } from "../../../src/search/vectors/highest.ts";
import { createPackedVectors } from "../../../src/search/vectors/packed_vectors.ts";
import { createPageVectors, type NearPage } from "../../../src/search/vectors/page_vectors.ts";
import { pack, toUnit, unpack, type Vector } from "../../../src/search/vectors/vector.ts";
import { assert, assertEquals } from "../../assert.ts";

const DIMENSIONS = 20;
const byte = fc.integer({ min: -127, max: 127 });
const packed = fc.array(byte, { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((bytes) => Int8Array.from(bytes));
const step = fc.record({
  pageId: fc.constantFrom(..."abcdefgh"),
  passages: fc.array(packed, { maxLength: 3 }),
});

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const product = Array.from(a).reduce((sum, entry, i) => sum + entry * (b[i] ?? 0), 0);
  return product === 0
    ? 0
    : product / (Math.hypot(...Array.from(a)) * Math.hypot(...Array.from(b)));
}

Deno.test("cosines() agrees with the sum written out, however long the vectors are", () => {
  const sized = fc.integer({ min: 1, max: 70 }).chain((size) => {
    const vector = fc.array(byte, { minLength: size, maxLength: size });
    return fc.tuple(vector, fc.array(vector, { maxLength: 12 }));
  });
  fc.assert(fc.property(sized, ([question, rows]) => {
    const vectors = createPackedVectors(question.length);
    rows.forEach((row, i) => vectors.set(i, Int8Array.from(row)));
    const found = vectors.cosines(Int8Array.from(question), rows.length);
    assertEquals(found.length, rows.length);
    rows.forEach((row, i) => {
      assert(Math.abs((found[i] ?? NaN) - cosine(question, row)) < 1e-6, `row ${i}`);
    });
  }));
});

Deno.test("cosines() holds where products are greatest", () => {
  const vectors = createPackedVectors(3072);
  vectors.set(0, new Int8Array(3072).fill(127));
  vectors.set(1, new Int8Array(3072).fill(-127));
  assertEquals([...vectors.cosines(new Int8Array(3072).fill(127), 2)], [1, -1]);
});

Deno.test("nearest() finds what a look at every passage finds, after any changes", () => {
  fc.assert(fc.property(fc.array(step, { maxLength: 30 }), packed, (steps, question) => {
    const vectors = createPageVectors(DIMENSIONS);
    const model = new Map<string, readonly Int8Array[]>();
    for (const { pageId, passages } of steps) {
      vectors.put(pageId, passages);
      if (passages.length === 0) model.delete(pageId);
      else model.set(pageId, passages);
    }
    const unit = toUnit(Float32Array.from(question));
    const expected = slowNearest(model, pack(unit)).slice(0, 5);
    const found = vectors.nearest(unit, 5);
    assertEquals(vectors.size(), model.size);
    assertEquals(found.length, expected.length);
    // By scores and not by pages, for rounding may turn pages round that are equally near.
    found.forEach((near, i) => {
      const row = model.get(near.pageId)?.[near.passage] ?? [];
      assertNear(near.score, expected[i]?.score ?? NaN);
      assertNear(near.score, cosine(pack(unit), row));
      if (near.score !== 0) assertNear(cosine(vectors.vector(near), row), 1);
    });
  }));
});

function assertNear(actual: number, expected: number): void {
  assert(Math.abs(actual - expected) < 1e-5, `${actual} is not ${expected}`);
}

function slowNearest(
  pages: ReadonlyMap<string, readonly Int8Array[]>,
  question: Int8Array,
): NearPage[] {
  const near = [...pages].map(([pageId, passages]) => {
    const scores = passages.map((passage) => Math.fround(cosine(question, passage)));
    const score = Math.max(...scores);
    return { pageId, score, passage: scores.indexOf(score) };
  });
  return near.sort((a, b) => b.score - a.score || (a.pageId < b.pageId ? -1 : 1));
}

Deno.test("highest() is the head of the sorted list", () => {
  const scores = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 300 });
  fc.assert(fc.property(scores, fc.integer({ min: 1, max: 12 }), (scores, limit) => {
    const sorted = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || b - a);
    const found = highest(Float32Array.from(scores), limit, (a, b) => b - a);
    assertEquals(found, sorted.slice(0, limit));
  }));
});

Deno.test("pack() keeps the direction", () => {
  const vector: fc.Arbitrary<Vector> = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
    minLength: 64,
    maxLength: 64,
  }).map((entries) => Float32Array.from(entries));
  fc.assert(fc.property(vector, (vector) => {
    const kept = cosine(unpack(pack(vector)), vector);
    assert(kept > 0.999 || Math.hypot(...vector) === 0, `cosine ${kept}`);
  }));
});
