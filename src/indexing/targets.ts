/**
 * Which space new vectors are made in, and when a new one is begun.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import { LOCAL } from "../search/embedders/local.ts";
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
  readonly store: TextStore & VectorSpaceStore & VectorStore & WordIndex;
  readonly embedders: Embedders;
  /** Learns from passages, and answers the model as bytes. */
  learn(passages: readonly Passage[], signal: AbortSignal): Promise<Uint8Array>;
}

export interface Targets {
  /**
   * The space of a workspace that new vectors are made in, begun now where nothing has to be learnt for
   * it; undefined where something has.
   */
  current(workspace: string): Promise<VectorSpace | undefined>;
  /** Learns the next space where one is due; false where none is, or there is too little to learn from. */
  learn(workspace: string, signal: AbortSignal): Promise<boolean>;
}

/** A workspace is learnt anew once it has grown so much since. */
const GROWTH = 2;
/** One that was too small is looked at again once it has grown so much. */
const NEXT_TRY = 1.25;
const KNOWN_SMALL = 10_000;

/** Looks for spaces with what is wanted now. */
export function createTargets({ store, embedders, learn }: TargetOptions): Targets {
  const { wanted, answered } = embedders;
  /** Parts that workspaces had when they were too small. */
  const tooSmall = new LRUCache<string, number>({ max: KNOWN_SMALL });

  /** Begins the space behind the newest; where another process was first, its space is the one. */
  async function begin(workspace: string, space: Omit<NewSpace, "embedder">): Promise<void> {
    await store.addSpace(workspace, { ...space, embedder: wanted });
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
      const dimensions = wanted === LOCAL ? undefined : answered();
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

function numberAfter(space: VectorSpace | undefined): number {
  return (space?.number ?? 0) + 1;
}

/** Whether vectors of this embedder, of so many dimensions where that is known, can be in the space. */
function fits(space: VectorSpace, embedder: string, dimensions = space.dimensions): boolean {
  return space.embedder === embedder &&
    (space.dimensions === undefined || space.dimensions === dimensions);
}

/** Whether a learnt space is to be followed by the next; one that is being filled never is. */
function isOutgrown(space: VectorSpace, parts: number): boolean {
  return space.embedder !== LOCAL || space.isComplete && parts >= GROWTH * space.parts;
}
