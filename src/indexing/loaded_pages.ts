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
import type { SavedVectors } from "../store/vector_port.ts";

export interface LoadedPages {
  /** Undefined before the first vector. */
  pages: PageVectors | undefined;
  /** The blocks that the passages of each page begin with; none of a page without text. */
  readonly blocks: Map<string, readonly (string | null)[]>;
  /** Of all pages together. */
  passages: number;
}

export function noPages(): LoadedPages {
  return { pages: undefined, blocks: new Map(), passages: 0 };
}

/** Puts a page's vectors in the place of those that it had. */
export function put(
  loaded: LoadedPages,
  { id, blocks, vectors }: SavedVectors,
  options: PageVectorsOptions = {},
): void {
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
