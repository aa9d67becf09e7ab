/**
 * Caches the vectors of searched workspaces in memory.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import type { Embedder } from "../search/embedder.ts";
import type { Vector } from "../search/vectors/vector.ts";
import type { PageVectors, PageVectorsOptions } from "../search/vectors/page_vectors.ts";
import type { SavedVectors, VectorSpace, VectorSpaceStore, VectorStore } from "../store/port.ts";
import { createBackgroundRest } from "../shared/yield_to_event_loop.ts";
import type { Embedders } from "./embedders.ts";
import { createIndexedPages, type IndexedPages } from "./indexed_pages.ts";
import { type LoadedPages, noPages, put } from "./loaded_pages.ts";

/** A workspace's current vectors, and the embedder for its questions. */
export interface OpenSpace {
  readonly embedder: Embedder;
  /** All vectors, or those newer than the database's index; undefined before the first vector. */
  readonly pages: PageVectors | undefined;
  /** The vectors in the database's index, if there is one. */
  readonly indexed: IndexedPages | undefined;
  /** Returns the block that a passage of a page begins with; null if it is the page itself. */
  blockOf(pageId: string, passage: number): string | null;
}

export interface VectorSpaces {
  /** Returns the space to search in a workspace; undefined if there is none. */
  open(workspace: string): Promise<OpenSpace | undefined>;
  /**
   * Does a few milliseconds of maintenance that keeps searches of open spaces fast; returns false if
   * none is due.
   */
  arrange(): boolean;
}

/** 300 MB with 192 dimensions. */
const MOST_VECTORS = 1_000_000;
/** Pages whose vectors are read at once, which takes a few milliseconds. */
const BATCH = 100;

export interface VectorSpacesOptions extends PageVectorsOptions {
  /** Maximum number of vectors in memory, of all workspaces together; default 1,000,000. */
  readonly mostVectors?: number;
  /** Called when questions to a workspace cannot be compared with its vectors any more. */
  readonly onOtherDimensions?: (workspace: string) => void;
}

interface Loaded extends LoadedPages {
  /** Sequence number of the last vectors read. */
  sequence: number;
  /** Set while new vectors are being read. */
  reading: Promise<void> | undefined;
}

/** Creates the cache. Opening a space reads the vectors that were saved since it was last opened. */
export function createVectorSpaces(
  store: Pick<VectorSpaceStore, "spaces"> & Pick<VectorStore, "vectors" | "vectorIndex">,
  embedders: Embedders,
  { mostVectors = MOST_VECTORS, onOtherDimensions, ...options }: VectorSpacesOptions = {},
): VectorSpaces {
  const loaded = new LRUCache<string, Loaded>({
    maxSize: mostVectors,
    // A space over the limit is cached alone, because reading it takes long.
    sizeCalculation: ({ passages }) => Math.min(1 + passages, mostVectors),
  });

  async function readOn(workspace: string, number: number, space: Loaded): Promise<void> {
    const rest = createBackgroundRest();
    let batch: readonly SavedVectors[];
    do {
      await rest();
      batch = await store.vectors(workspace, number, { after: space.sequence, limit: BATCH });
      for (const saved of batch) {
        await rest();
        put(space, saved, options);
        space.sequence = saved.sequence;
      }
    } while (batch.length === BATCH);
  }

  /** Loads at least the vectors after a sequence number. */
  async function load(
    workspace: string,
    { number, dimensions }: VectorSpace,
    after: number,
  ): Promise<Loaded> {
    const key = JSON.stringify([workspace, number, after > 0]);
    const space = loaded.get(key) ??
      { ...noPages(dimensions), sequence: after, reading: undefined };
    // Concurrent callers wait for the same read.
    space.reading ??= readOn(workspace, number, space).finally(() => space.reading = undefined);
    loaded.set(key, space);
    await space.reading;
    // The entry has grown, and the cache does not measure the same object again.
    loaded.delete(key);
    loaded.set(key, space);
    return space;
  }

  return {
    open: async (workspace) => {
      const serving = await servingSpace(workspace, await store.spaces(workspace), embedders);
      if (serving === undefined) return undefined;
      const { space, space: { number, dimensions } } = serving;
      const index = store.vectorIndex;
      const reach = await index?.reach(workspace, number) ?? 0;
      const { pages, blocks } = await load(workspace, space, reach);
      const indexed = index === undefined || reach === 0 ? undefined : createIndexedPages(
        (query) => index.near(workspace, number, query),
        (id) => blocks.has(id),
      );
      const blockOf = (id: string, passage: number) =>
        blocks.get(id)?.[passage] ?? indexed?.blockOf(id, passage) ?? null;
      const embedder = withDimensions(
        dimensions,
        serving.embedder,
        () => onOtherDimensions?.(workspace),
      );
      return { embedder, pages, indexed, blockOf };
    },
    arrange: () => loaded.values().some(({ pages }) => pages?.arrange() ?? false),
  };
}

/** Wraps an embedder to reject, and to call `onOther`, if its vectors have other dimensions. */
function withDimensions(
  dimensions: number | undefined,
  embedder: Embedder,
  onOther: () => void,
): Embedder {
  const { embedQuestion } = embedder;
  const check = (vector: Vector): Vector => {
    if (vector.length === (dimensions ?? vector.length)) return vector;
    onOther();
    throw new Error(`Expected embeddings with ${dimensions} dimensions: got ${vector.length}`);
  };
  return {
    ...embedder,
    embed: async (texts, signal) => {
      const vectors = await embedder.embed(texts, signal);
      vectors.forEach(check);
      return vectors;
    },
    ...(embedQuestion !== undefined && {
      embedQuestion: async (question, signal) => check(await embedQuestion(question, signal)),
    }),
  };
}

interface Serving {
  readonly space: VectorSpace;
  readonly embedder: Embedder;
}

/** Returns the newest complete space with an available embedder, or else the newest with one. */
async function servingSpace(
  workspace: string,
  spaces: readonly VectorSpace[],
  embedders: Embedders,
): Promise<Serving | undefined> {
  const newestFirst = spaces.toReversed().sort((a, b) =>
    Number(b.isComplete) - Number(a.isComplete)
  );
  for (const space of newestFirst) {
    const embedder = await embedders.find(workspace, space);
    if (embedder !== undefined) return { space, embedder };
  }
  return undefined;
}
