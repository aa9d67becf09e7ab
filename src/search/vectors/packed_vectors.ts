/**
 * Packed vectors in one WebAssembly memory, which compares them with another vector.
 *
 * @module
 */
import { instantiateScan } from "./scan_module.ts";
import type { Vector } from "./vector.ts";

const PAGE = 65_536;
/** Maximum number of rows to compare at once. */
const STRETCH = 4_096;

/** Rows of packed vectors. */
export interface PackedVectors {
  set(row: number, vector: Int8Array): void;
  /** Returns the vector of a row, which is valid until a row is set. */
  get(row: number): Int8Array;
  /** Copies the vector of a row to another. */
  copy(from: number, to: number): void;
  /** Returns the cosine of a row with a unit vector that is not packed; zero if either is zero. */
  cosine(row: number, unit: Vector): number;
  /** Returns a comparison with this vector, which is valid until the next call or until a row is set. */
  compare(vector: Int8Array): Compare;
}

/**
 * Returns the cosines with up to 4,096 consecutive rows; zero if either vector is zero. The result is
 * valid until the next call.
 */
export type Compare = (first: number, count: number) => Float32Array;

/** Creates an empty list of vectors with these dimensions. */
export function createPackedVectors(dimensions: number): PackedVectors {
  const stride = Math.ceil(dimensions / 16) * 16;
  // Memory layout: the vector to compare with, the products that the scan writes, the rows.
  const products = stride;
  const placeOf = (row: number) => products + 4 * STRETCH + stride * row;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(placeOf(0) / PAGE) });
  const scan = instantiateScan(memory);
  const cosines = new Float32Array(STRETCH);
  let lengths = new Float32Array(64);

  function reserve(rows: number): void {
    const missing = placeOf(rows) - memory.buffer.byteLength;
    // Grows by half, so that growing step by step stays cheap.
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
    cosine: (row, unit) => {
      const vector = new Int8Array(memory.buffer, placeOf(row), dimensions);
      let product = 0;
      for (let i = 0; i < dimensions; i++) product += (vector[i] ?? 0) * (unit[i] ?? 0);
      return product === 0 ? 0 : product / (lengths[row] ?? 0);
    },
    compare: (vector) => {
      write(0, vector);
      const length = lengthOf(vector);
      const scanned = new Int32Array(memory.buffer, products, STRETCH);
      return (first, count) => {
        scan(0, placeOf(first), count, stride, products);
        // A loop, because `map` and `from` take ten times as long.
        for (let i = 0; i < count; i++) {
          const product = scanned[i] ?? 0;
          cosines[i] = product === 0 ? 0 : product / (length * (lengths[first + i] ?? 0));
        }
        return cosines;
      };
    },
  };
}

/** Returns the length of a packed vector, in its own units. */
export function lengthOf(vector: Int8Array): number {
  let squares = 0;
  for (const entry of vector) squares += entry * entry;
  return Math.sqrt(squares);
}
