/**
 * Partitions rows into lists by their nearest centroid.
 *
 * @module
 */
import { createCentroids } from "./centroids.ts";
import type { RowList } from "./row_lists.ts";

export interface Partition {
  readonly lists: readonly RowList[];
  /** Adds a row to the list nearest to a vector; returns the row. */
  append(vector: Int8Array): number;
  /** Returns all lists, nearest to a vector first. */
  nearestFirst(vector: Int8Array): readonly RowList[];
}

/** Creates a partition with one list. */
export function undivided(list: RowList): Partition {
  const lists = [list];
  return { lists, append: () => list.append(), nearestFirst: () => lists };
}

/** Creates a partition with a list for each centroid, of which there must be at least one. */
export function divided(centroids: readonly Int8Array[], create: () => RowList): Partition {
  const { nearest, nearestFirst } = createCentroids(centroids);
  const lists = centroids.map(create);
  return {
    lists,
    append: (vector) => lists[nearest(vector)]?.append() ?? 0,
    nearestFirst: (vector) => nearestFirst(vector).flatMap((place) => lists[place] ?? []),
  };
}
