/**
 * Directions around which vectors lie, learnt by k-means.
 *
 * @module
 */
import { createPackedVectors, lengthOf } from "./packed_vectors.ts";
import { pack, type Vector } from "./vector.ts";

/** Vectors, of which the nearest to another is looked for. */
export interface Centroids {
  /** Place of the nearest; the first of equally near ones. */
  nearest(vector: Int8Array): number;
  /** Places of all, nearest first. */
  nearestFirst(vector: Int8Array): number[];
}

/** Centroids at most. */
export const MOST_CENTROIDS = 4_096;
/** Rounds of k-means; later ones move little. */
const ROUNDS = 8;

/** At least one vector, all equally long. */
export function createCentroids(vectors: readonly Int8Array[]): Centroids {
  const packed = createPackedVectors(vectors[0]?.length ?? 0);
  vectors.forEach((vector, place) => packed.set(place, vector));
  return {
    nearest: (vector) => {
      const cosines = packed.compare(vector)(0, vectors.length);
      let nearest = 0;
      for (let place = 1; place < vectors.length; place++) {
        if ((cosines[place] ?? 0) > (cosines[nearest] ?? 0)) nearest = place;
      }
      return nearest;
    },
    nearestFirst: (vector) => {
      const cosines = packed.compare(vector)(0, vectors.length);
      return [...vectors.keys()].sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0));
    },
  };
}

/** Vectors that are looked at again and again. */
export interface Sample {
  readonly size: number;
  /** Holds until another is looked at. */
  vector(index: number): Int8Array;
}

/** So many centroids of a sample that is as large or larger; yields what it compared at each step. */
export function* learnCentroids(sample: Sample, count: number): Generator<number, Int8Array[]> {
  let centroids = Array.from({ length: count }, (_, place) => {
    return sample.vector(Math.floor(place * sample.size / count)).slice();
  });
  for (let round = 0; round < ROUNDS; round++) {
    const sums = yield* sumsOfNearest(sample, centroids);
    // One that nothing is nearest to stays where it is.
    centroids = centroids.map((centroid, place) => {
      const sum = sums.get(place);
      return sum === undefined ? centroid : pack(sum);
    });
  }
  return centroids;
}

/** The sums of the directions that are nearest to each centroid, by its place. */
function* sumsOfNearest(
  sample: Sample,
  centroids: readonly Int8Array[],
): Generator<number, ReadonlyMap<number, Vector>> {
  const { nearest } = createCentroids(centroids);
  const sums = new Map<number, Vector>();
  for (let index = 0; index < sample.size; index++) {
    yield centroids.length;
    const vector = sample.vector(index);
    const place = nearest(vector);
    const sum = sums.get(place) ?? new Float32Array(vector.length);
    const length = lengthOf(vector) || 1;
    for (let i = 0; i < vector.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0) / length;
    sums.set(place, sum);
  }
  return sums;
}
