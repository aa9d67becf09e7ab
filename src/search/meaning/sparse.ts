/**
 * Sparse matrices, stored by row.
 *
 * @module
 */

/** The non-zero entries of a vector. */
export interface SparseVector {
  readonly indices: Uint32Array;
  readonly values: Float32Array;
}

/** A matrix whose entries are mostly zero. */
export interface SparseMatrix {
  readonly width: number;
  readonly rows: readonly SparseVector[];
}

/** Returns AᵀA·x. */
export function multiplyByGram({ width, rows }: SparseMatrix, x: Float64Array): Float64Array {
  const product = new Float64Array(width);
  for (const row of rows) addMultiple(product, row, dotSparse(row, x));
  return product;
}

function dotSparse({ indices, values }: SparseVector, x: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < indices.length; at++) {
    sum += (values[at] ?? 0) * (x[indices[at] ?? 0] ?? 0);
  }
  return sum;
}

function addMultiple(
  sum: Float64Array,
  { indices, values }: SparseVector,
  factor: number,
): void {
  for (let at = 0; at < indices.length; at++) {
    const index = indices[at] ?? 0;
    sum[index] = (sum[index] ?? 0) + factor * (values[at] ?? 0);
  }
}
