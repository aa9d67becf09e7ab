/**
 * Making the vectors of pages in the queue, a batch of one workspace at a time.
 *
 * @module
 */
import { TextsRefused } from "../search/embedder.ts";
import type { Passage } from "../search/passages.ts";
import { pack, type Vector } from "../search/vectors/vector.ts";
import type { DuePage, IndexQueue, PageVectors, VectorSpace, VectorStore } from "../store/port.ts";
import { embedPages } from "./embed_pages.ts";
import type { Embedders } from "./embedders.ts";
import { readPassages, type TextStore } from "./page_texts.ts";

export interface BatchOptions {
  readonly store: IndexQueue & VectorStore & TextStore;
  readonly embedders: Embedders;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told of a page that stays without vectors until it changes. */
  onRefused(pageId: string, refusal: TextsRefused): void;
}

/** Where the vectors of a workspace go; undefined where there is no space for them yet. */
export type Target = VectorSpace | undefined;

/**
 * Does the next batch of a workspace; false where its queue has nothing to take. Rejects where the
 * embedder cannot do it now: what was taken is in the queue again.
 */
export type DoBatch = (workspace: string, space: Target, signal: AbortSignal) => Promise<boolean>;

/** Pages of one batch. */
const BATCH = 32;
/** Long enough for a slow service that is asked again and again. */
const LEASE = 5 * 60_000;

/** What does batches. */
export function createBatches({ store, embedders, now, onRefused }: BatchOptions): DoBatch {
  async function work(
    workspace: string,
    space: Target,
    taken: readonly DuePage[],
    signal: AbortSignal,
  ): Promise<void> {
    const embedder = space && await embedders.find(workspace, space);
    if (space === undefined || embedder === undefined) {
      // All pages come due again for the first space that there is.
      return await store.finishDue(workspace, taken);
    }
    const passages = await readPassages(store, workspace, taken.map(({ id }) => id));
    const embedded = await embedPages(embedder, passages, signal);
    const pages = taken.map((page, index) => ({
      ...page,
      ...toVectors(passages[index] ?? [], embedded[index] ?? []),
    }));
    if (!await store.saveVectors(workspace, space.number, pages)) throw new OtherDimensions();
    taken.forEach(({ id }, index) => {
      const vectors = embedded[index];
      if (vectors instanceof TextsRefused) onRefused(id, vectors);
    });
  }

  return async (workspace, space, signal) => {
    const lease = { now: now(), until: now() + LEASE, limit: BATCH };
    const taken = await store.takeDue(workspace, lease);
    if (taken.length === 0) return false;
    try {
      await work(workspace, space, taken, signal);
    } catch (error) {
      // Where the store is out of reach, the lease ends by itself.
      await store.releaseDue(workspace, taken).catch(() => {});
      throw error;
    }
    return true;
  };
}

/** A service answers with vectors that cannot be compared with those that there are. */
class OtherDimensions extends Error {
  constructor() {
    super("The embeddings have other dimensions than before: all are made anew");
    this.name = "OtherDimensions";
  }
}

/** The vectors of a page's passages as they are saved; none of a page that is refused. */
function toVectors(
  passages: readonly Passage[],
  vectors: readonly Vector[] | TextsRefused,
): Omit<PageVectors, "id"> {
  if (vectors instanceof TextsRefused) return { blocks: [], vectors: joined([]) };
  return { blocks: passages.map(({ blockId }) => blockId), vectors: joined(vectors.map(pack)) };
}

function joined(packed: readonly Int8Array[]): Uint8Array {
  const dimensions = packed[0]?.length ?? 0;
  const bytes = new Uint8Array(dimensions * packed.length);
  packed.forEach((vector, index) => bytes.set(new Uint8Array(vector), index * dimensions));
  return bytes;
}
