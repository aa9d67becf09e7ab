/**
 * Rows in lists by what their vectors are nearest to.
 *
 * @module
 */
import { createCentroids } from "./centroids.ts";
import type { RowList } from "./row_lists.ts";

export interface Partition {
  readonly lists: readonly RowList[];
  /** Adds a row for a vector to the list that it belongs to, and answers it. */
  append(vector: Int8Array): number;
  /** All lists, those first that are nearest to a vector. */
  nearestFirst(vector: Int8Array): readonly RowList[];
}

/** All rows in one list. */
export function undivided(list: RowList): Partition {
  const lists = [list];
  return { lists, append: () => list.append(), nearestFirst: () => lists };
}

/** A list for each centroid, of which there is one at least. */
export function divided(centroids: readonly Int8Array[], create: () => RowList): Partition {
  const { nearest, nearestFirst } = createCentroids(centroids);
  const lists = centroids.map(create);
  return {
    lists,
    append: (vector) => lists[nearest(vector)]?.append() ?? 0,
    nearestFirst: (vector) => nearestFirst(vector).flatMap((place) => lists[place] ?? []),
  };
}
