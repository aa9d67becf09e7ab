/**
 * Many packed vectors in one memory, and their products with another.
 *
 * @module
 */
import { instantiateScan } from "./scan_module.ts";

const PAGE = 65_536;

/** Rows of packed vectors; a row that was never set is zero. */
export interface PackedVectors {
  set(row: number, vector: Int8Array): void;
  get(row: number): Int8Array<ArrayBuffer>;
  /** The cosine of the vector with each of the first `count` rows, zero where one is zero. */
  cosines(vector: Int8Array, count: number): Float32Array<ArrayBuffer>;
}

/** No rows yet, for vectors of so many dimensions. */
export function createPackedVectors(dimensions: number): PackedVectors {
  const stride = Math.ceil(dimensions / 16) * 16;
  const memory = new WebAssembly.Memory({ initial: 1 });
  const scan = instantiateScan(memory);
  let lengths = new Float32Array(64);

  // The query has the first place, then come the rows, and behind them what the scan writes.
  const placeOf = (row: number) => stride * (1 + row);

  function reserve(rows: number): void {
    const missing = placeOf(rows) + 4 * rows - memory.buffer.byteLength;
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
    get: (row) => new Int8Array(memory.buffer, placeOf(row), dimensions).slice(),
    cosines: (vector, count) => {
      reserve(count);
      write(0, vector);
      const products = placeOf(count);
      scan(0, placeOf(0), count, stride, products);
      return cosinesOf(new Int32Array(memory.buffer, products, count), lengthOf(vector), lengths);
    },
  };
}

function cosinesOf(
  products: Int32Array,
  length: number,
  lengths: Float32Array,
): Float32Array<ArrayBuffer> {
  // A loop, because `map` and `from` take ten times as long.
  const cosines = new Float32Array(products.length);
  for (let row = 0; row < products.length; row++) {
    const product = products[row] ?? 0;
    if (product !== 0) cosines[row] = product / (length * (lengths[row] ?? 0));
  }
  return cosines;
}

function lengthOf(vector: Int8Array): number {
  let squares = 0;
  for (const entry of vector) squares += entry * entry;
  return Math.sqrt(squares);
}
