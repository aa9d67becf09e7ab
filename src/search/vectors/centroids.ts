/**
 * Centroids of vectors, learnt by k-means.
 *
 * @module
 */
import { createPackedVectors, lengthOf } from "./packed_vectors.ts";
import { pack, type Vector } from "./vector.ts";

/** A search among centroids, by their indexes. */
export interface Centroids {
  /** Returns the index of the nearest centroid; the first one if several are equally near. */
  nearest(vector: Int8Array): number;
  /** Returns the indexes of all centroids, nearest first. */
  nearestFirst(vector: Int8Array): number[];
}

/** Maximum number of centroids. */
export const MOST_CENTROIDS = 4_096;
/** Rounds of k-means; more rounds change little. */
const ROUNDS = 8;

/** Requires at least one vector; all must have the same dimensions. */
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

/** The vectors to learn from. */
export interface Sample {
  readonly size: number;
  /** Returns a vector, which is valid until the next call. */
  vector(index: number): Int8Array;
}

/** Learns `count` centroids from a sample of at least that size; yields the comparisons of each step. */
export function* learnCentroids(sample: Sample, count: number): Generator<number, Int8Array[]> {
  let centroids = Array.from({ length: count }, (_, place) => {
    return sample.vector(Math.floor(place * sample.size / count)).slice();
  });
  for (let round = 0; round < ROUNDS; round++) {
    const sums = yield* sumsOfNearest(sample, centroids);
    // A centroid without vectors stays where it is.
    centroids = centroids.map((centroid, place) => {
      const sum = sums.get(place);
      return sum === undefined ? centroid : pack(sum);
    });
  }
  return centroids;
}

/** Returns the sum of the directions nearest to each centroid, by its index. */
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
