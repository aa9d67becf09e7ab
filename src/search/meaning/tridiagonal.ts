/**
 * Eigenvalues and eigenvectors of a symmetric tridiagonal matrix, by implicit QL steps with
 * Wilkinson's shift (Golub and Van Loan, Matrix Computations, 8.3).
 *
 * @module
 */

export interface Tridiagonal {
  readonly diagonal: Float64Array;
  /** The off-diagonal: entry i is between i and i + 1 of the diagonal. */
  readonly beside: Float64Array;
}

export interface Eigenpair {
  readonly value: number;
  /** The vector, of unit length. */
  readonly vector: Float64Array;
}

/** An eigenvalue normally takes two or three steps. */
const MOST_STEPS = 100;
/** Smaller numbers are denormal and lose precision. */
const SMALLEST = 1e-300;

/** Returns all eigenpairs, largest value first. */
export function eigenpairs({ diagonal, beside }: Tridiagonal): Eigenpair[] {
  const size = diagonal.length;
  const d = diagonal.slice();
  const e = new Float64Array(size);
  e.set(beside);
  const vectors = Array.from({ length: size }, (_, i) => unit(size, i));
  const largest = [...d, ...e].reduce((most, entry) => Math.max(most, Math.abs(entry)), 0);
  const negligible = Math.max(Number.EPSILON * largest, SMALLEST);
  for (let low = 0; low < size; low++) isolate({ d, e, vectors, negligible }, low);
  return vectors.map((vector, i) => ({ value: d[i] ?? 0, vector }))
    .sort((a, b) => b.value - a.value);
}

interface State {
  readonly d: Float64Array;
  readonly e: Float64Array;
  readonly vectors: readonly Float64Array[];
  readonly negligible: number;
}

/** Applies steps until the off-diagonal entry at `low` is negligible. */
function isolate(state: State, low: number): void {
  for (let step = 0; step < MOST_STEPS; step++) {
    const high = endOfBlock(state, low);
    if (high === low) return;
    stepUp(state, low, high);
  }
  throw new Error("The eigenvalues of a tridiagonal matrix did not converge");
}

/** Returns the first index from `low` on whose off-diagonal entry is negligible. */
function endOfBlock({ d, e, negligible }: State, low: number): number {
  for (let i = low; i < d.length - 1; i++) {
    if (Math.abs(e[i] ?? 0) <= negligible) return i;
  }
  return d.length - 1;
}

/** One QL step on the block from `low` to `high`: rotations chase the bulge up the diagonal. */
function stepUp({ d, e, vectors }: State, low: number, high: number): void {
  let g = (d[high] ?? 0) - shift(d, e, low);
  let [sine, cosine, p] = [1, 1, 0];
  for (let i = high - 1; i >= low; i--) {
    const f = sine * (e[i] ?? 0);
    const b = cosine * (e[i] ?? 0);
    const length = Math.hypot(f, g);
    e[i + 1] = length;
    if (length === 0) {
      d[i + 1] = (d[i + 1] ?? 0) - p;
      e[high] = 0;
      return;
    }
    [sine, cosine] = [f / length, g / length];
    g = (d[i + 1] ?? 0) - p;
    const r = ((d[i] ?? 0) - g) * sine + 2 * cosine * b;
    p = sine * r;
    d[i + 1] = g + p;
    g = cosine * r - b;
    rotate(vectors, i, sine, cosine);
  }
  d[low] = (d[low] ?? 0) - p;
  e[low] = g;
  e[high] = 0;
}

/** Returns the eigenvalue of the 2×2 corner that is closest to its first entry. */
function shift(d: Float64Array, e: Float64Array, low: number): number {
  const beside = e[low] ?? 0;
  const half = ((d[low + 1] ?? 0) - (d[low] ?? 0)) / (2 * beside);
  const root = Math.hypot(half, 1);
  return (d[low] ?? 0) - beside / (half + (half < 0 ? -root : root));
}

function rotate(
  vectors: readonly Float64Array[],
  i: number,
  sine: number,
  cosine: number,
): void {
  const [lower, upper] = [vectors[i], vectors[i + 1]];
  if (lower === undefined || upper === undefined) return;
  for (let at = 0; at < lower.length; at++) {
    const x = lower[at] ?? 0;
    const y = upper[at] ?? 0;
    upper[at] = sine * x + cosine * y;
    lower[at] = cosine * x - sine * y;
  }
}

function unit(size: number, at: number): Float64Array {
  const vector = new Float64Array(size);
  vector[at] = 1;
  return vector;
}
