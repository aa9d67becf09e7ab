/**
 * Packed vectors in one list per centroid (an inverted file), so that a search only reads the lists
 * near its question. Few vectors form a single list.
 *
 * @module
 */
import { learnCentroids, MOST_CENTROIDS, type Sample } from "./centroids.ts";
import { createPackedVectors, type PackedVectors } from "./packed_vectors.ts";
import { divided, type Partition, undivided } from "./partition.ts";
import { BLOCK, createRowLists, type RowList } from "./row_lists.ts";
import type { Vector } from "./vector.ts";

export interface VectorIndex {
  /** Adds a vector and returns its row. */
  add(vector: Int8Array): number;
  remove(row: number): void;
  /** Returns the vector of a row, which is valid until a vector is added, removed or moved. */
  get(row: number): Int8Array;
  /** Returns the cosine of a row with a unit vector that is not packed. */
  cosine(row: number, unit: Vector): number;
  /** Starts a search, which is valid until the next search or change. */
  search(vector: Int8Array): VectorSearch;
  /** Does a few milliseconds of maintenance after growth; returns false if none is due. */
  arrange(): boolean;
}

export interface VectorSearch {
  /** Returns the cosine with a row. */
  cosine(row: number): number;
  /** Passes the cosines of rows to `show`, nearest lists first, until `isEnough` returns true. */
  visit(
    show: (first: number, cosines: Float32Array, count: number) => void,
    isEnough: (shown: number) => boolean,
  ): void;
}

export interface VectorIndexOptions {
  readonly dimensions: number;
  /** Up to this many vectors form a single list. */
  readonly undivided: number;
  /** Comparisons of one piece of maintenance. */
  readonly piece: number;
  /** Called when a vector moves to another row. */
  onMove(from: number, to: number): void;
}

/** Vectors are partitioned again after growing by this factor. */
const GROWTH = 2;
/** Vectors to learn each centroid from. */
const SAMPLE = 48;

/** Creates an empty index. */
export function createVectorIndex(options: VectorIndexOptions): VectorIndex {
  const packed = createPackedVectors(options.dimensions);
  const rows = createRowLists();
  let current = undivided(rows.create());
  /** The previous lists, while their vectors move to the current ones. */
  let older: Partition | undefined;
  let size = 0;
  let nextSize = options.undivided;
  let work: Generator<number, void> | undefined;

  function move(from: number, to: number): void {
    if (from === to) return;
    packed.copy(from, to);
    options.onMove(from, to);
  }

  /** Partitions the vectors again; yields the comparisons of each step. */
  function* divide(): Generator<number, void> {
    nextSize = GROWTH * size;
    const count = Math.min(MOST_CENTROIDS, Math.ceil(Math.sqrt(size)));
    const sample = sampleOf(packed, current.lists, SAMPLE * count);
    const centroids = yield* learnCentroids(sample, count);
    older = current;
    current = divided(centroids, rows.create);
    for (const list of older.lists) {
      for (; list.length > 0; yield count) {
        const from = list.dropLast();
        move(from, current.append(packed.get(from)));
      }
    }
    older = undefined;
  }

  return {
    add: (vector) => {
      const row = current.append(vector);
      packed.set(row, vector);
      size++;
      return row;
    },
    remove: (row) => {
      const last = rows.listOf(row)?.dropLast() ?? row;
      // The last vector of the list moves to the free row, so that lists have no gaps.
      move(last, row);
      size--;
    },
    get: packed.get,
    cosine: packed.cosine,
    search: (vector) => {
      const compare = packed.compare(vector);
      return {
        cosine: (row) => compare(row, 1)[0] ?? 0,
        visit: (show, isEnough) => {
          const showRows = (first: number, count: number) =>
            show(first, compare(first, count), count);
          // A vector may be in the older or in the current lists.
          if (older !== undefined) visitLists(older.nearestFirst(vector), showRows, isEnough);
          visitLists(current.nearestFirst(vector), showRows, isEnough);
        },
      };
    },
    arrange: () => {
      if (work === undefined && size <= nextSize) return false;
      work ??= divide();
      if (!advance(work, options.piece)) work = undefined;
      return true;
    },
  };
}

function visitLists(
  lists: readonly RowList[],
  showRows: (first: number, count: number) => void,
  isEnough: (shown: number) => boolean,
): void {
  let shown = 0;
  for (const list of lists) {
    if (isEnough(shown)) return;
    for (let index = 0; index < list.length; index += BLOCK) {
      showRows(list.row(index), Math.min(BLOCK, list.length - index));
    }
    shown += list.length;
  }
}

/** Continues the work for this many comparisons; returns false when it is done. */
function advance(work: Generator<number, void>, comparisons: number): boolean {
  for (let done = 0; done < comparisons;) {
    const step = work.next();
    if (step.done === true) return false;
    done += step.value;
  }
  return true;
}

/** Samples about `wanted` vectors, proportionally from all lists. */
function sampleOf(packed: PackedVectors, lists: readonly RowList[], wanted: number): Sample {
  const total = lists.reduce((sum, { length }) => sum + length, 0);
  const step = Math.max(1, total / wanted);
  const rows: number[] = [];
  let index = 0;
  for (const list of lists) {
    for (; index < list.length; index += step) rows.push(list.row(Math.floor(index)));
    index -= list.length;
  }
  // A row that was removed in the meantime still contains a vector, which is as good as any other.
  return { size: rows.length, vector: (place) => packed.get(rows[place] ?? 0) };
}
