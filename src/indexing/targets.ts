/**
 * Chooses the space for new vectors, and starts new spaces.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import { LOCAL } from "../search/embedder.ts";
import type { Passage } from "../search/passages.ts";
import type {
  NewSpace,
  VectorSpace,
  VectorSpaceStore,
  VectorStore,
  WordIndex,
} from "../store/port.ts";
import type { Embedders } from "./embedders.ts";
import { learnWorkspace } from "./learn.ts";
import type { TextStore } from "./page_texts.ts";

export interface TargetOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly store: TextStore & VectorSpaceStore & VectorStore & WordIndex;
  readonly embedders: Embedders;
  /** Learns a model from passages and returns it as bytes. */
  learn(passages: readonly Passage[], signal: AbortSignal): Promise<Uint8Array>;
}

export interface Targets {
  /**
   * Returns the space for a workspace's new vectors, and starts one if necessary; undefined if a model
   * has to be learnt first.
   */
  current(workspace: string): Promise<VectorSpace | undefined>;
  /** Learns the next space; resolves to false if none is due or there is too little text. */
  learn(workspace: string, signal: AbortSignal): Promise<boolean>;
}

/** Growth after which a workspace's model is learnt again. */
const GROWTH = 2;
/** Growth after which a workspace that was too small is tried again. */
const NEXT_TRY = 1.25;
const MAX_TOO_SMALL = 10_000;
const MINUTE = 60_000;

/** Creates the choice of spaces for the configured embedder. */
export function createTargets({ store, embedders, learn, now }: TargetOptions): Targets {
  const { wanted, lastDimensions } = embedders;
  /** Number of parts of each workspace when it was too small. */
  const tooSmall = new LRUCache<string, number>({ max: MAX_TOO_SMALL });

  /** Starts the space after the newest, unless another process has done so first. */
  async function begin(workspace: string, space: Omit<NewSpace, "embedder">): Promise<void> {
    await store.addSpace(workspace, { ...space, embedder: wanted });
  }

  /**
   * A workspace that was deleted and is new again begins with another number than before, because
   * processes cache vectors and models by it.
   */
  function numberAfter(space: VectorSpace | undefined): number {
    return space === undefined ? Math.floor(now() / MINUTE) : space.number + 1;
  }

  async function newestOf(workspace: string): Promise<VectorSpace | undefined> {
    return (await store.spaces(workspace)).at(-1);
  }

  async function partsOf(workspace: string): Promise<number> {
    return (await store.wordStatistics(workspace, [])).parts;
  }

  return {
    async current(workspace) {
      const newest = await newestOf(workspace);
      const dimensions = wanted === LOCAL ? undefined : lastDimensions();
      if (newest !== undefined && fits(newest, wanted, dimensions)) return newest;
      if (wanted === LOCAL) return undefined;
      await begin(workspace, {
        number: numberAfter(newest),
        parts: await partsOf(workspace),
        ...(dimensions !== undefined && { dimensions }),
      });
      return await newestOf(workspace);
    },

    async learn(workspace, signal) {
      if (wanted !== LOCAL) return false;
      const newest = await newestOf(workspace);
      const parts = await partsOf(workspace);
      if (newest !== undefined && !isOutgrown(newest, parts)) return false;
      if (parts < NEXT_TRY * (tooSmall.get(workspace) ?? 0)) return false;
      const model = await learnWorkspace(store, workspace, { pages: parts, signal, learn });
      if (model === undefined) tooSmall.set(workspace, parts);
      else await begin(workspace, { number: numberAfter(newest), parts, model });
      return model !== undefined;
    },
  };
}

/** Returns whether a space accepts vectors of this embedder and, if known, of these dimensions. */
function fits(space: VectorSpace, embedder: string, dimensions = space.dimensions): boolean {
  return space.embedder === embedder &&
    (space.dimensions === undefined || space.dimensions === dimensions);
}

/** Returns whether a new space should follow a learnt one, which must be complete. */
function isOutgrown(space: VectorSpace, parts: number): boolean {
  return space.embedder !== LOCAL || space.isComplete && parts >= GROWTH * space.parts;
}
