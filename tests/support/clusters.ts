/**
 * Generates vectors distributed like those of real texts: in clusters of subjects, which form
 * clusters of fields. The same seed gives the same vectors.
 *
 * @module
 */
import { toUnit, type Vector } from "../../src/search/vectors/vector.ts";

export interface ClusterOptions {
  readonly dimensions: number;
  readonly fields: number;
  readonly subjects: number;
  /** Spread of subjects within their field, and of texts within their subject. */
  readonly spread: { readonly subject: number; readonly text: number };
}

/** Draws unit vectors. */
export function createClusters(
  { dimensions, fields, subjects, spread }: ClusterOptions,
  seed: number,
): () => Vector {
  const random = createRandom(seed);
  // Later dimensions vary less, as in a singular value decomposition.
  const widths = Float32Array.from({ length: dimensions }, (_, i) => (i + 1) ** -0.3);
  const noise = () => toUnit(widths.map((width) => width * normal(random)));
  const around = (centre: Vector, own: number) => sum(centre, own, noise());
  const centres = Array.from({ length: fields }, noise);
  const all = Array.from({ length: subjects }, (_, i) => {
    return around(centres[i % fields] ?? noise(), spread.subject);
  });
  return () => around(all[Math.floor(subjects * random() ** 2)] ?? noise(), spread.text);
}

/** Generates numbers from 0 (inclusive) to 1 (exclusive) (Lehmer, 1951). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = state * 48_271 % 0x7FFFFFFF;
    return state / 0x7FFFFFFF;
  };
}

/** Draws a nearly normal number of variance one, as a sum of uniform ones. */
function normal(random: () => number): number {
  return (random() + random() + random() + random() - 2) * Math.sqrt(3);
}

function sum(a: Vector, factor: number, b: Vector): Vector {
  return toUnit(a.map((entry, i) => entry + factor * (b[i] ?? 0)));
}
