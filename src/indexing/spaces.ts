/**
 * The vectors of workspaces in memory, as far as they are asked for.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import type { Embedder } from "../search/embedder.ts";
import type { PageVectors, PageVectorsOptions } from "../search/vectors/page_vectors.ts";
import type { SavedVectors, VectorSpace, VectorSpaceStore, VectorStore } from "../store/port.ts";
import { createBackgroundRest } from "../shared/yield_to_event_loop.ts";
import type { Embedders } from "./embedders.ts";
import { createIndexedPages, type IndexedPages } from "./indexed_pages.ts";
import { type LoadedPages, noPages, put } from "./loaded_pages.ts";

/** A workspace's vectors as they are now, and who makes those of questions. */
export interface OpenSpace {
  readonly embedder: Embedder;
  /** All of them, or those that are newer than the index; undefined before the first vector. */
  readonly pages: PageVectors | undefined;
  /** All others, where the database has an index of them. */
  readonly indexed: IndexedPages | undefined;
  /** The block that a passage of a page begins with; null where it is the page itself. */
  blockOf(pageId: string, passage: number): string | null;
}

export interface VectorSpaces {
  /** The space that serves a workspace; undefined where none does. */
  open(workspace: string): Promise<OpenSpace | undefined>;
  /**
   * Does a piece of the work that keeps searches of what is open fast, of some milliseconds; false
   * where there is none.
   */
  arrange(): boolean;
}

/** 300 MB where they have 192 dimensions. */
const MOST_VECTORS = 1_000_000;
/** Pages whose vectors are read at once, of some milliseconds. */
const BATCH = 100;

export interface VectorSpacesOptions extends PageVectorsOptions {
  /** In memory at once, of all workspaces together; default 1,000,000. */
  readonly mostVectors?: number;
  /** Told that questions to a workspace cannot be compared with its vectors any more. */
  readonly onOtherDimensions?: (workspace: string) => void;
}

interface Loaded extends LoadedPages {
  /** Up to where the vectors were read. */
  sequence: number;
  /** Set while somebody reads on. */
  reading: Promise<void> | undefined;
}

/** Opens spaces, and reads on what was saved since they were asked for last. */
export function createVectorSpaces(
  store: Pick<VectorSpaceStore, "spaces"> & Pick<VectorStore, "vectors" | "vectorIndex">,
  embedders: Embedders,
  { mostVectors = MOST_VECTORS, onOtherDimensions, ...options }: VectorSpacesOptions = {},
): VectorSpaces {
  const loaded = new LRUCache<string, Loaded>({
    maxSize: mostVectors,
    // A space that is too large is kept alone, for to read it takes long.
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

  /** Those behind a place, if not more. */
  async function load(
    workspace: string,
    { number, dimensions }: VectorSpace,
    after: number,
  ): Promise<Loaded> {
    const key = JSON.stringify([workspace, number, after > 0]);
    const space = loaded.get(key) ??
      { ...noPages(dimensions), sequence: after, reading: undefined };
    // Whoever asks meanwhile waits for the same reading.
    space.reading ??= readOn(workspace, number, space).finally(() => space.reading = undefined);
    loaded.set(key, space);
    await space.reading;
    // It has grown, and what is set again as it is would be measured no more.
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
      const embedder = keepingTo(
        dimensions,
        serving.embedder,
        () => onOtherDimensions?.(workspace),
      );
      return { embedder, pages, indexed, blockOf };
    },
    arrange: () => loaded.values().some(({ pages }) => pages?.arrange() ?? false),
  };
}

/** An embedder that rejects, and tells of it, where its vectors have other dimensions. */
function keepingTo(
  dimensions: number | undefined,
  { name, embed }: Embedder,
  onOther: () => void,
): Embedder {
  return {
    name,
    embed: async (texts, signal) => {
      const vectors = await embed(texts, signal);
      const other = vectors.find(({ length }) => length !== (dimensions ?? length));
      if (other === undefined) return vectors;
      onOther();
      throw new Error(`Vectors of ${other.length} dimensions, of ${dimensions} before`);
    },
  };
}

interface Serving {
  readonly space: VectorSpace;
  readonly embedder: Embedder;
}

/** The newest space that is complete, or else the newest, of those that questions can be put to. */
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
