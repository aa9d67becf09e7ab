/**
 * Truncated singular value decomposition of a large sparse matrix A: Lanczos' method on AᵀA with
 * full reorthogonalisation (Golub and Van Loan, Matrix Computations, 10.1 and 10.4).
 *
 * @module
 */
import { multiplyByGram, type SparseMatrix } from "./sparse.ts";
import { type Eigenpair, eigenpairs } from "./tridiagonal.ts";

export interface SingularVector {
  readonly value: number;
  /** The right singular vector, of unit length, with an entry for each column of the matrix. */
  readonly vector: Float64Array;
}

/** Lanczos steps per requested vector: enough for the last ones if singular values are close. */
const STEPS_EACH = 2.5;
const MORE_STEPS = 20;
/** Values below this, relative to the matrix, are rounding errors. */
const PRECISION = 1e-10;

/**
 * Returns the `rank` largest singular values with their right vectors, largest first; fewer if the
 * matrix has fewer non-zero ones. The same matrix gives the same result.
 */
export function truncatedSvd(matrix: SparseMatrix, rank: number): SingularVector[] {
  const steps = Math.min(matrix.width, Math.ceil(STEPS_EACH * rank) + MORE_STEPS);
  const { basis, diagonal, beside } = lanczos(matrix, steps);
  const pairs = eigenpairs({ diagonal, beside }).slice(0, rank);
  const least = PRECISION * (pairs[0]?.value ?? 0);
  return pairs.filter(({ value }) => value > least).map((pair) => inBasis(pair, basis));
}

interface Krylov {
  /** Orthonormal. */
  readonly basis: readonly Float64Array[];
  /** AᵀA in that basis is tridiagonal. */
  readonly diagonal: Float64Array;
  readonly beside: Float64Array;
}

function lanczos(matrix: SparseMatrix, steps: number): Krylov {
  const random = randomVectors();
  const basis: Float64Array[] = [];
  const diagonal: number[] = [];
  const beside: number[] = [];
  let next = orthonormal(random(matrix.width), basis)?.vector;
  while (next !== undefined && basis.length < steps) {
    basis.push(next);
    const image = multiplyByGram(matrix, next);
    diagonal.push(dot(image, next));
    const direction = orthonormal(image, basis);
    // If the basis spans an invariant subspace of AᵀA, continue in a new random direction.
    beside.push(direction?.length ?? 0);
    next = direction?.vector ?? orthonormal(random(matrix.width), basis)?.vector;
  }
  return {
    basis,
    diagonal: Float64Array.from(diagonal),
    beside: Float64Array.from(beside.slice(0, -1)),
  };
}

interface Direction {
  readonly vector: Float64Array;
  /** Length of the orthogonal part before normalization. */
  readonly length: number;
}

/** Returns the part of a vector that is orthogonal to the basis, normalized, unless it is rounding. */
function orthonormal(
  vector: Float64Array,
  basis: readonly Float64Array[],
): Direction | undefined {
  const whole = Math.sqrt(dot(vector, vector));
  // First the last two, which hold nearly all of it. The pass over the whole basis then removes what
  // rounding left.
  for (const other of [...basis.slice(-2), ...basis]) {
    addMultiple(vector, -dot(vector, other), other);
  }
  const length = Math.sqrt(dot(vector, vector));
  if (length <= PRECISION * whole) return undefined;
  return { vector: vector.map((entry) => entry / length), length };
}

function inBasis({ value, vector }: Eigenpair, basis: readonly Float64Array[]): SingularVector {
  const combined = new Float64Array(basis[0]?.length ?? 0);
  basis.forEach((direction, i) => addMultiple(combined, vector[i] ?? 0, direction));
  return { value: Math.sqrt(value), vector: combined };
}

function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] ?? 0) * (y[i] ?? 0);
  return sum;
}

function addMultiple(sum: Float64Array, factor: number, x: Float64Array): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + factor * (x[i] ?? 0);
}

/**
 * Vectors of pseudo-random numbers between -1 and 1 from a fixed seed (xorshift32). Vectors of a few
 * values, such as signs, would often lie in a small basis.
 */
function randomVectors(): (length: number) => Float64Array {
  let state = 0x9e3779b9;
  return (length) =>
    Float64Array.from({ length }, () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state / 2 ** 31;
    });
}
