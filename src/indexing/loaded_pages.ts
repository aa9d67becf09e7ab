/**
 * Vectors of pages loaded from the store.
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
  /** The block that each passage of a page begins with; empty for a page without text. */
  readonly blocks: Map<string, readonly (string | null)[]>;
  /** Number of passages of all pages. */
  passages: number;
  /** Dimensions of all vectors; undefined before the first. */
  dimensions: number | undefined;
}

export function noPages(dimensions?: number): LoadedPages {
  return { pages: undefined, blocks: new Map(), passages: 0, dimensions };
}

/**
 * Replaces a page's vectors. Ignores vectors with other dimensions, which a database may contain from
 * releases that did not check them.
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

/** Returns undefined for a page without vectors. */
function dimensionsOf({ blocks, vectors }: SavedVectors): number | undefined {
  return blocks.length === 0 ? undefined : vectors.length / blocks.length;
}
