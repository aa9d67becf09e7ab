/**
 * Vectors as those of real texts lie: around subjects, which lie around fields; the same for the
 * same seed.
 *
 * @module
 */
import { toUnit, type Vector } from "../../src/search/vectors/vector.ts";

export interface ClusterOptions {
  readonly dimensions: number;
  readonly fields: number;
  readonly subjects: number;
  /** What is their own of subjects beside their field, and of texts beside their subject. */
  readonly spread: { readonly subject: number; readonly text: number };
}

/** Draws vectors of length one, one after the other. */
export function createClusters(
  { dimensions, fields, subjects, spread }: ClusterOptions,
  seed: number,
): () => Vector {
  const random = createRandom(seed);
  // Later dimensions say less, as those of a singular value decomposition do.
  const widths = Float32Array.from({ length: dimensions }, (_, i) => (i + 1) ** -0.3);
  const noise = () => toUnit(widths.map((width) => width * normal(random)));
  const around = (centre: Vector, own: number) => sum(centre, own, noise());
  const centres = Array.from({ length: fields }, noise);
  const all = Array.from({ length: subjects }, (_, i) => {
    return around(centres[i % fields] ?? noise(), spread.subject);
  });
  return () => around(all[Math.floor(subjects * random() ** 2)] ?? noise(), spread.text);
}

/** Numbers from 0 to before 1 (Lehmer, 1951). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = state * 48_271 % 0x7FFFFFFF;
    return state / 0x7FFFFFFF;
  };
}

/** Nearly normal, of variance one: the sum of evenly distributed numbers is. */
function normal(random: () => number): number {
  return (random() + random() + random() + random() - 2) * Math.sqrt(3);
}

function sum(a: Vector, factor: number, b: Vector): Vector {
  return toUnit(a.map((entry, i) => entry + factor * (b[i] ?? 0)));
}
