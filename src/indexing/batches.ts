/**
 * Embeds the pages in the queue, in batches of one workspace.
 *
 * @module
 */
import { TextsRefused } from "../search/embedder.ts";
import type { Passage } from "../search/passages.ts";
import { pack, type Vector } from "../search/vectors/vector.ts";
import type { DuePage, IndexQueue, PageVectors, VectorSpace, VectorStore } from "../store/port.ts";
import { embedPages } from "./embed_pages.ts";
import type { Embedders } from "./embedders.ts";
import { createBackgroundRest } from "../shared/yield_to_event_loop.ts";
import { readPassages, type TextStore } from "./page_texts.ts";

export interface BatchOptions {
  readonly store: IndexQueue & VectorStore & TextStore;
  readonly embedders: Embedders;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called for a page that stays without vectors until it changes. */
  onRefused(pageId: string, refusal: TextsRefused): void;
}

/** The space for the vectors of a workspace; undefined if there is none yet. */
export type Target = VectorSpace | undefined;

/**
 * Processes the next batch of a workspace; resolves to false if its queue is empty. Rejects if the
 * embedder fails, and then returns the batch to the queue.
 */
export type DoBatch = (workspace: string, space: Target, signal: AbortSignal) => Promise<boolean>;

/** Pages of one batch. */
const BATCH = 32;
/** Milliseconds: long enough for a slow service and several retries. */
const LEASE = 5 * 60_000;

/** Creates the function that processes batches. */
export function createBatches({ store, embedders, now, onRefused }: BatchOptions): DoBatch {
  async function work(
    workspace: string,
    space: Target,
    taken: readonly DuePage[],
    signal: AbortSignal,
  ): Promise<void> {
    const embedder = space && await embedders.find(workspace, space);
    if (space === undefined || embedder === undefined) {
      // The first space will enqueue all pages again.
      return await store.finishDue(workspace, taken);
    }
    const rest = createBackgroundRest();
    await rest(true);
    const passages = await readPassages(store, workspace, taken.map(({ id }) => id));
    await rest(true);
    const embedded = await embedPages(embedder, passages, signal);
    await rest(true);
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
      // If the store is unreachable, the lease expires by itself.
      await store.releaseDue(workspace, taken).catch(() => {});
      throw error;
    }
    return true;
  };
}

/** The service returned vectors that cannot be compared with the stored ones. */
class OtherDimensions extends Error {
  constructor() {
    super("The embeddings have different dimensions than before: all pages are embedded again");
    this.name = "OtherDimensions";
  }
}

/** Returns the vectors of a page's passages in their stored form; none for a refused page. */
function toVectors(
  passages: readonly Passage[],
  vectors: readonly Vector[] | TextsRefused,
): Omit<PageVectors, "id"> {
  if (vectors instanceof TextsRefused) return { blocks: [], vectors: concatenate([]) };
  return {
    blocks: passages.map(({ blockId }) => blockId),
    vectors: concatenate(vectors.map(pack)),
  };
}

function concatenate(packed: readonly Int8Array[]): Uint8Array {
  const dimensions = packed[0]?.length ?? 0;
  const bytes = new Uint8Array(dimensions * packed.length);
  packed.forEach((vector, index) => bytes.set(new Uint8Array(vector), index * dimensions));
  return bytes;
}
