/**
 * Packed vectors in lists, each of those that lie around one centroid (an inverted file), so that a
 * search reads the lists near its question alone. Few vectors are one list.
 *
 * @module
 */
import { learnCentroids, MOST_CENTROIDS, type Sample } from "./centroids.ts";
import { createPackedVectors, type PackedVectors } from "./packed_vectors.ts";
import { divided, type Partition, undivided } from "./partition.ts";
import { BLOCK, createRowLists, type RowList } from "./row_lists.ts";

export interface VectorIndex {
  /** Adds a vector, and answers its row. */
  add(vector: Int8Array): number;
  remove(row: number): void;
  /** The vector of a row, until a vector is added, removed or moved. */
  get(row: number): Int8Array;
  /** Begins a search, which ends with the next search or change. */
  search(vector: Int8Array): VectorSearch;
  /** Does a piece of the work that growth asks for, some milliseconds long; false where there is none. */
  arrange(): boolean;
}

export interface VectorSearch {
  /** The cosine with a row. */
  cosine(row: number): number;
  /** Shows the cosines of rows, those of the nearest lists first, until enough of them were shown. */
  visit(
    show: (first: number, cosines: Float32Array, count: number) => void,
    isEnough: (shown: number) => boolean,
  ): void;
}

export interface VectorIndexOptions {
  readonly dimensions: number;
  /** Vectors up to which they are one list. */
  readonly undivided: number;
  /** Comparisons of a piece of work. */
  readonly piece: number;
  /** Told that a vector has another row from now on. */
  onMove(from: number, to: number): void;
}

/** Vectors are divided anew once there are so many times more. */
const GROWTH = 2;
/** Vectors that each centroid is learnt from. */
const SAMPLE = 48;

/** No vectors yet. */
export function createVectorIndex(options: VectorIndexOptions): VectorIndex {
  const packed = createPackedVectors(options.dimensions);
  const rows = createRowLists();
  let current = undivided(rows.create());
  /** What vectors leave for the current lists while they are divided anew. */
  let older: Partition | undefined;
  let size = 0;
  let nextSize = options.undivided;
  let work: Generator<number, void> | undefined;

  function move(from: number, to: number): void {
    if (from === to) return;
    packed.copy(from, to);
    options.onMove(from, to);
  }

  /** Divides the vectors anew; yields what it compares at each step. */
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
      // The last one of its list takes the free place, so that a search meets no gaps.
      move(last, row);
      size--;
    },
    get: packed.get,
    search: (vector) => {
      const compare = packed.compare(vector);
      return {
        cosine: (row) => compare(row, 1)[0] ?? 0,
        visit: (show, isEnough) => {
          const showRows = (first: number, count: number) =>
            show(first, compare(first, count), count);
          // Both, for a vector may be in either.
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

/** Goes on with a work by so many comparisons; false where it is done. */
function advance(work: Generator<number, void>, comparisons: number): boolean {
  for (let made = 0; made < comparisons;) {
    const step = work.next();
    if (step.done === true) return false;
    made += step.value;
  }
  return true;
}

/** About so many of the vectors, from all lists in proportion. */
function sampleOf(packed: PackedVectors, lists: readonly RowList[], wanted: number): Sample {
  const total = lists.reduce((sum, { length }) => sum + length, 0);
  const step = Math.max(1, total / wanted);
  const rows: number[] = [];
  let index = 0;
  for (const list of lists) {
    for (; index < list.length; index += step) rows.push(list.row(Math.floor(index)));
    index -= list.length;
  }
  // A row that was left meanwhile still holds a vector, which is as good as another.
  return { size: rows.length, vector: (place) => packed.get(rows[place] ?? 0) };
}
