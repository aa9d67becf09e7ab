/**
 * Vectors of pages that were read from the store.
 *
 * @module
 */
import {
  createPageVectors,
  type PageVectors,
  type PageVectorsOptions,
} from "../search/vectors/page_vectors.ts";
import type { SavedVectors } from "../store/port.ts";

export interface LoadedPages {
  /** Undefined before the first vector. */
  pages: PageVectors | undefined;
  /** The blocks that the passages of each page begin with; none of a page without text. */
  readonly blocks: Map<string, readonly (string | null)[]>;
  /** Of all pages together. */
  passages: number;
  /** Of every vector; undefined before the first. */
  dimensions: number | undefined;
}

export function noPages(dimensions?: number): LoadedPages {
  return { pages: undefined, blocks: new Map(), passages: 0, dimensions };
}

/**
 * Puts a page's vectors in the place of those that it had. Vectors of other dimensions count as none:
 * a database may have them from before its spaces kept to theirs.
 */
export function put(
  loaded: LoadedPages,
  saved: SavedVectors,
  options: PageVectorsOptions = {},
): void {
  const { id, vectors } = saved;
  loaded.dimensions ??= dimensionsOf(saved);
  const blocks = dimensionsOf(saved) === loaded.dimensions ? saved.blocks : [];
  loaded.passages += blocks.length - (loaded.blocks.get(id)?.length ?? 0);
  loaded.blocks.set(id, blocks);
  if (blocks.length === 0) return loaded.pages?.put(id, []);
  const dimensions = vectors.length / blocks.length;
  loaded.pages ??= createPageVectors(dimensions, options);
  const packed = blocks.map((_, at) => {
    return new Int8Array(vectors.slice(at * dimensions, (at + 1) * dimensions).buffer);
  });
  loaded.pages.put(id, packed);
}

/** Undefined of a page without vectors. */
function dimensionsOf({ blocks, vectors }: SavedVectors): number | undefined {
  return blocks.length === 0 ? undefined : vectors.length / blocks.length;
}
