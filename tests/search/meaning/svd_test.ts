import fc from "fast-check";
import type { SparseMatrix } from "../../../src/search/meaning/sparse.ts";
import { truncatedSvd } from "../../../src/search/meaning/svd.ts";
import { eigenpairs } from "../../../src/search/meaning/tridiagonal.ts";
import { assert, assertEquals } from "../../assert.ts";

/** Small whole numbers, so that matrices of less than full rank and equal values come up often. */
const entry = fc.integer({ min: -3, max: 3 });
const dense = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 9 })).chain(
  ([height, width]) =>
    fc.array(fc.array(entry, { minLength: width, maxLength: width }), {
      minLength: height,
      maxLength: height,
    }),
);

function toSparse(rows: readonly (readonly number[])[]): SparseMatrix {
  return {
    width: rows[0]?.length ?? 0,
    rows: rows.map((row) => {
      const filled = [...row.entries()].filter(([, value]) => value !== 0);
      return {
        indices: Uint32Array.from(filled, ([index]) => index),
        values: Float32Array.from(filled, ([, value]) => value),
      };
    }),
  };
}

/** Singular values by turning pairs of columns until all are orthogonal (one-sided Jacobi). */
function slowSingularValues(rows: readonly (readonly number[])[]): number[] {
  const columns = (rows[0] ?? []).map((_, j) => rows.map((row) => row[j] ?? 0));
  for (let sweep = 0; sweep < 60; sweep++) {
    for (let p = 0; p < columns.length; p++) {
      for (let q = p + 1; q < columns.length; q++) turnApart(columns, p, q);
    }
  }
  return columns.map((column) => Math.hypot(...column)).sort((a, b) => b - a);
}

function turnApart(columns: number[][], p: number, q: number): void {
  const [x, y] = [columns[p] ?? [], columns[q] ?? []];
  const angle = 0.5 * Math.atan2(2 * product(x, y), product(x, x) - product(y, y));
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  columns[p] = x.map((value, i) => cosine * value + sine * (y[i] ?? 0));
  columns[q] = y.map((value, i) => cosine * value - sine * (x[i] ?? 0));
}

function product(x: ArrayLike<number>, y: ArrayLike<number>): number {
  return Array.from(x).reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
}

function assertNear(actual: number, expected: number, what: string): void {
  assert(Math.abs(actual - expected) < 1e-6, `${what}: ${actual} is not ${expected}`);
}

Deno.test("truncatedSvd() finds the largest singular values of any matrix", () => {
  fc.assert(
    fc.property(dense, fc.integer({ min: 1, max: 9 }), (rows, rank) => {
      const expected = slowSingularValues(rows).filter((value) => value > 1e-6).slice(0, rank);
      const found = truncatedSvd(toSparse(rows), rank).map(({ value }) => value);
      assertEquals(found.length, expected.length);
      found.forEach((value, i) => assertNear(value, expected[i] ?? 0, `value ${i}`));
    }),
    { examples: [[[[0, 0, 0], [2, -3, 1], [-3, 2, -1]], 2]] },
  );
});

Deno.test("truncatedSvd() returns right singular vectors: orthonormal, scaled by their value", () => {
  fc.assert(fc.property(dense, (rows) => {
    const found = truncatedSvd(toSparse(rows), 9);
    found.forEach(({ value, vector }, i) => {
      const image = rows.map((row) => product(row, vector));
      assertNear(Math.hypot(...image), value, `image ${i}`);
      found.forEach((other, j) => {
        assertNear(product(vector, other.vector), i === j ? 1 : 0, `product ${i} ${j}`);
      });
    });
  }));
});

Deno.test("truncatedSvd() handles singular values that fall like those of texts", () => {
  const size = 400;
  const valueOf = (i: number) => 10 / Math.sqrt(i + 1);
  const rows = Array.from({ length: size }, (_, i) => {
    return Array.from({ length: size }, (_, j) => i === j ? valueOf(i) : 0);
  });
  const found = truncatedSvd(toSparse(rows), 60);
  found.forEach(({ value }, i) => {
    assert(Math.abs(value - valueOf(i)) < 0.01 * valueOf(i), `value ${i} is ${value}`);
  });
});

Deno.test("truncatedSvd() is deterministic, to the last bit", () => {
  fc.assert(fc.property(dense, (rows) => {
    assertEquals(truncatedSvd(toSparse(rows), 5), truncatedSvd(toSparse(rows), 5));
  }));
});

Deno.test("truncatedSvd() returns nothing for an empty matrix", () => {
  assertEquals(truncatedSvd({ width: 0, rows: [] }, 5), []);
  assertEquals(truncatedSvd(toSparse([[0, 0], [0, 0]]), 5), []);
});

Deno.test("eigenpairs() decomposes a tridiagonal matrix into pairs that restore it", () => {
  const number = fc.double({ min: -9, max: 9, noNaN: true });
  const tridiagonal = fc.integer({ min: 1, max: 12 }).chain((size) =>
    fc.tuple(
      fc.array(number, { minLength: size, maxLength: size }),
      fc.array(number, { minLength: size - 1, maxLength: size - 1 }),
    )
  );
  fc.assert(fc.property(tridiagonal, ([diagonal, beside]) => {
    const pairs = eigenpairs({
      diagonal: Float64Array.from(diagonal),
      beside: Float64Array.from(beside),
    });
    diagonal.forEach((_, i) => {
      diagonal.forEach((_, j) => {
        const expected = i === j ? diagonal[i] : Math.abs(i - j) === 1 ? beside[Math.min(i, j)] : 0;
        const made = pairs.reduce((sum, { value, vector }) => {
          return sum + value * (vector[i] ?? 0) * (vector[j] ?? 0);
        }, 0);
        assertNear(made, expected ?? 0, `entry ${i} ${j}`);
      });
    });
  }));
});
