import fc from "fast-check";
import { createHighest } from "../../../src/search/vectors/highest.ts";
import { createPackedVectors } from "../../../src/search/vectors/packed_vectors.ts";
import {
  createPageVectors,
  type NearPage,
  type PageVectors,
} from "../../../src/search/vectors/page_vectors.ts";
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

Deno.test("compare() agrees with a plain sum, for any dimensions", () => {
  const sized = fc.integer({ min: 1, max: 70 }).chain((size) => {
    const vector = fc.array(byte, { minLength: size, maxLength: size });
    return fc.tuple(vector, fc.array(vector, { maxLength: 12 }));
  });
  fc.assert(fc.property(sized, ([question, rows]) => {
    const vectors = createPackedVectors(question.length);
    rows.forEach((row, i) => vectors.set(i, Int8Array.from(row)));
    const found = vectors.compare(Int8Array.from(question))(0, rows.length);
    rows.forEach((row, i) => {
      assert(Math.abs((found[i] ?? NaN) - cosine(question, row)) < 1e-6, `row ${i}`);
    });
  }));
});

Deno.test("compare() does not overflow at the largest products", () => {
  const vectors = createPackedVectors(3072);
  vectors.set(0, new Int8Array(3072).fill(127));
  vectors.set(1, new Int8Array(3072).fill(-127));
  const cosines = vectors.compare(new Int8Array(3072).fill(127))(0, 2);
  assertEquals([...cosines.subarray(0, 2)], [1, -1]);
});

/** Steps in sequence, with pieces of the work of growing between them. */
const steps = fc.array(fc.oneof(step, step, fc.constant("arrange" as const)), { maxLength: 60 });

Deno.test("nearest() agrees with a full scan, after any changes and divisions", () => {
  const small = fc.integer({ min: 1, max: 20 });
  const among = fc.uniqueArray(fc.constantFrom(..."abcdefghij"));
  fc.assert(
    fc.property(steps, packed, small, small, among, (steps, question, undivided, piece, among) => {
      const vectors = createPageVectors(DIMENSIONS, { undivided, piece });
      const model = new Map<string, readonly Int8Array[]>();
      // With an entry of 127, no entry is rounded.
      const unit = toUnit(Float32Array.from(question.with(0, 127)));
      for (const step of steps) {
        if (step === "arrange") vectors.arrange();
        else put({ vectors, model }, step);
        assertEquals(vectors.size(), model.size);
        assertNearest(vectors.nearest(unit, 5), { vectors, model, question: unit });
      }
      const some = new Map([...model].filter(([id]) => among.includes(id)));
      const found = vectors.nearest(unit, 5, new Set(among));
      assertNearest(found, { vectors, model: some, question: unit });
    }),
  );
});

interface Modelled {
  readonly vectors: PageVectors;
  readonly model: Map<string, readonly Int8Array[]>;
}

function put(
  { vectors, model }: Modelled,
  { pageId, passages }: { readonly pageId: string; readonly passages: readonly Int8Array[] },
): void {
  vectors.put(pageId, passages);
  if (passages.length === 0) model.delete(pageId);
  else model.set(pageId, passages);
}

function assertNearest(
  found: readonly NearPage[],
  { vectors, model, question }: Modelled & { readonly question: Vector },
): void {
  const expected = slowNearest(model, pack(question)).slice(0, 5);
  assertEquals(found.length, expected.length);
  // By scores and not by pages, for rounding may turn pages round that are equally near.
  found.forEach((near, i) => {
    const row = model.get(near.pageId)?.[near.passage] ?? [];
    assertNear(near.score, expected[i]?.score ?? NaN);
    assertNear(near.score, cosine(pack(question), row));
    if (near.score !== 0) assertNear(cosine(vectors.vector(near), row), 1);
  });
}

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

Deno.test("createHighest() returns the head of the sorted list, each item with its highest score", () => {
  const scored = fc.tuple(fc.integer({ max: 60, min: 0 }), fc.integer({ min: 0, max: 20 }));
  fc.assert(
    fc.property(
      fc.array(scored, { maxLength: 300 }),
      fc.integer({ min: 1, max: 12 }),
      (all, limit) => {
        const highest = createHighest(limit, (a, b) => b - a);
        for (const [item, score] of all) {
          if (score >= highest.least) highest.add(item, score);
        }
        const best = new Map<number, number>();
        for (const [item, score] of all) {
          best.set(item, Math.max(score, best.get(item) ?? 0));
        }
        const sorted = [...best].sort(([a, x], [b, y]) => y - x || b - a).map(([item]) => item);
        assertEquals(highest.items(), sorted.slice(0, limit));
      },
    ),
  );
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

Deno.test("nearest() tells pages apart that are equally near a rounded question", () => {
  const vectors = createPageVectors(2);
  const [nearer, farther] = [Int8Array.of(100, 50), Int8Array.of(100, -50)];
  const question = toUnit(Float32Array.of(127, 0.4));
  assertEquals([...pack(question)], [127, 0]);
  vectors.put("b", [nearer]);
  vectors.put("a", [farther]);
  const found = vectors.nearest(question, 2);
  assertEquals(found.map(({ pageId }) => pageId), ["b", "a"]);
  for (const { pageId, score } of found) {
    const vector = pageId === "a" ? farther : nearer;
    assert(Math.abs(score - cosine(vector, question)) < 1e-7, pageId);
  }
});
