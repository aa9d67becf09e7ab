/**
 * Which space new vectors are made in, and when a new one is begun.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import { LOCAL } from "../search/embedders/local.ts";
import type { Passage } from "../search/passages.ts";
import type { Store } from "../store/port.ts";
import type { VectorSpace } from "../store/vector_port.ts";
import type { Embedders } from "./embedders.ts";
import { learnWorkspace } from "./learn.ts";

export interface TargetOptions {
  readonly store: Store;
  readonly embedders: Embedders;
  /** Learns from passages, and answers the model as bytes. */
  learn(passages: readonly Passage[], signal: AbortSignal): Promise<Uint8Array>;
}

export interface Targets {
  /**
   * The space of a workspace that new vectors are made in, begun now where that is due; undefined
   * where there is too little to learn from.
   */
  find(workspace: string, signal: AbortSignal): Promise<VectorSpace | undefined>;
}

/** A workspace is learnt anew once it has grown so much since. */
const GROWTH = 2;
/** One that was too small is looked at again once it has grown so much. */
const NEXT_TRY = 1.25;
const KNOWN_SMALL = 10_000;

/** Looks for spaces with what is wanted now. */
export function createTargets({ store, embedders: { wanted }, learn }: TargetOptions): Targets {
  /** Parts that workspaces had when they were too small. */
  const tooSmall = new LRUCache<string, number>({ max: KNOWN_SMALL });

  /** Begins the space behind the newest; where another process was first, its space is the one. */
  async function begin(
    workspace: string,
    space: Pick<VectorSpace, "number" | "parts">,
    model?: Uint8Array,
  ): Promise<VectorSpace | undefined> {
    await store.addSpace(workspace, { ...space, embedder: wanted, ...(model && { model }) });
    return (await store.spaces(workspace)).at(-1);
  }

  return {
    async find(workspace, signal) {
      const newest = (await store.spaces(workspace)).at(-1);
      const { parts } = await store.wordStatistics(workspace, []);
      if (newest !== undefined && isUpToDate(newest, parts, wanted)) return newest;
      const next = { number: (newest?.number ?? 0) + 1, parts };
      if (wanted !== LOCAL) return await begin(workspace, next);
      if (parts < NEXT_TRY * (tooSmall.get(workspace) ?? 0)) return newest;
      const model = await learnWorkspace(store, workspace, { pages: parts, signal, learn });
      if (model !== undefined) return await begin(workspace, next, model);
      tooSmall.set(workspace, parts);
      return newest;
    },
  };
}

function isUpToDate(space: VectorSpace, parts: number, wanted: string): boolean {
  if (space.embedder !== wanted) return false;
  // One that is being filled is never given up for the next.
  return wanted !== LOCAL || !space.isComplete || parts < GROWTH * space.parts;
}
