/**
 * Many packed vectors in one memory, and their products with another.
 *
 * @module
 */
import { instantiateScan } from "./scan_module.ts";

const PAGE = 65_536;
/** Rows that are compared at once, at most. */
const STRETCH = 4_096;

/** Rows of packed vectors. */
export interface PackedVectors {
  set(row: number, vector: Int8Array): void;
  /** The vector of a row, until a row is set. */
  get(row: number): Int8Array;
  /** Gives a row the vector of another. */
  copy(from: number, to: number): void;
  /** Compares a vector with rows that were set, until another is compared or a row is set. */
  compare(vector: Int8Array): Compare;
}

/**
 * The cosines with `count` rows from the first on, 4,096 at most, zero where one of the two is zero.
 * The answer holds until the next call.
 */
export type Compare = (first: number, count: number) => Float32Array;

/** No rows yet, for vectors of so many dimensions. */
export function createPackedVectors(dimensions: number): PackedVectors {
  const stride = Math.ceil(dimensions / 16) * 16;
  // The vector that is compared has the first place, then comes what the scan writes, then the rows.
  const products = stride;
  const placeOf = (row: number) => products + 4 * STRETCH + stride * row;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(placeOf(0) / PAGE) });
  const scan = instantiateScan(memory);
  const cosines = new Float32Array(STRETCH);
  let lengths = new Float32Array(64);

  function reserve(rows: number): void {
    const missing = placeOf(rows) - memory.buffer.byteLength;
    // By a half more, so that growing step by step costs little in all.
    if (missing > 0) memory.grow(Math.ceil((missing + memory.buffer.byteLength / 2) / PAGE));
    if (lengths.length >= rows) return;
    const longer = new Float32Array(rows * 1.5);
    longer.set(lengths);
    lengths = longer;
  }

  function write(place: number, vector: Int8Array): void {
    const bytes = new Int8Array(memory.buffer, place, stride);
    bytes.fill(0);
    bytes.set(vector);
  }

  return {
    set: (row, vector) => {
      reserve(row + 1);
      write(placeOf(row), vector);
      lengths[row] = lengthOf(vector);
    },
    get: (row) => new Int8Array(memory.buffer, placeOf(row), dimensions),
    copy: (from, to) => {
      reserve(Math.max(from, to) + 1);
      const bytes = new Int8Array(memory.buffer);
      bytes.copyWithin(placeOf(to), placeOf(from), placeOf(from + 1));
      lengths[to] = lengths[from] ?? 0;
    },
    compare: (vector) => {
      write(0, vector);
      const length = lengthOf(vector);
      const found = new Int32Array(memory.buffer, products, STRETCH);
      return (first, count) => {
        scan(0, placeOf(first), count, stride, products);
        // A loop, because `map` and `from` take ten times as long.
        for (let i = 0; i < count; i++) {
          const product = found[i] ?? 0;
          cosines[i] = product === 0 ? 0 : product / (length * (lengths[first + i] ?? 0));
        }
        return cosines;
      };
    },
  };
}

/** The length of a vector, as a number of its own units. */
export function lengthOf(vector: Int8Array): number {
  let squares = 0;
  for (const entry of vector) squares += entry * entry;
  return Math.sqrt(squares);
}
