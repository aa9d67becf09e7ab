/**
 * Removes what nothing refers to any more.
 *
 * @module
 */
import type { Store } from "../store/port.ts";
import type { BlobStore } from "./blob_store.ts";

export interface SweepOptions {
  readonly store: Store;
  readonly blobs: BlobStore;
}

/** Uploads of one transaction. */
const BATCH = 100;
const INTERVAL = 5 * 60 * 1_000;

/**
 * Removes all uploads of all workspaces whose life ended by `now`, and what they left over.
 *
 * That they are to go is decided in the database, in one transaction with a look at what refers to
 * them; bytes go after it, and their names are never used again. So any number of processes may sweep
 * while others attach.
 */
export async function sweep(options: SweepOptions, now: number): Promise<void> {
  const { store } = options;
  for (let workspace = await store.sweepable(""); workspace !== undefined;) {
    await store.commit(workspace, [{ op: "expire", time: now, limit: BATCH }]);
    const isWhole = await deleteLeftovers(options, workspace) < BATCH;
    // What is left is met again at once; a workspace without anything is not.
    if (isWhole) workspace = await store.sweepable(workspace);
  }
}

/** Removes what is left over in a workspace, and answers how much it was. */
export async function deleteLeftovers(
  { store, blobs }: SweepOptions,
  workspace: string,
): Promise<number> {
  const leftovers = await store.leftovers(workspace, BATCH);
  for (const leftover of leftovers) await blobs.remove(workspace, leftover);
  if (leftovers.length > 0) await store.commit(workspace, [{ op: "forget", leftovers }]);
  return leftovers.length;
}

export interface Sweeper {
  /** Sweeps no more, once it has finished with what it is about. */
  stop(): Promise<void>;
}

export interface SweeperOptions extends SweepOptions {
  readonly now: () => number;
  /** Is told of a sweep that failed; the next one tries again. */
  readonly onFailure: (error: unknown) => void;
}

/** Sweeps every few minutes. */
export function startSweeper({ now, onFailure, ...options }: SweeperOptions): Sweeper {
  let sweeping = Promise.resolve();
  const timer = setInterval(() => {
    sweeping = sweeping.then(() => sweep(options, now())).catch(onFailure);
  }, INTERVAL);
  Deno.unrefTimer(timer);
  return {
    stop: () => {
      clearInterval(timer);
      return sweeping;
    },
  };
}
