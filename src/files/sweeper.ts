/**
 * Deletes expired uploads: those without a reference once their time is over.
 *
 * @module
 */
import type { NodeWriter, UploadReader } from "../store/port.ts";
import type { BlobStore } from "./blob_store.ts";

export interface SweepOptions {
  readonly store: NodeWriter & UploadReader;
  readonly blobs: BlobStore;
}

/** Uploads per transaction. */
const BATCH = 100;
const INTERVAL = 5 * 60 * 1_000;

/**
 * Deletes all uploads that have expired by `now`, in all workspaces, and their files.
 *
 * A transaction checks that nothing refers to an upload and deletes it; its file is deleted
 * afterwards, and file names are never reused. So any number of processes may sweep while others
 * attach uploads.
 */
export async function sweep(options: SweepOptions, now: number): Promise<void> {
  const { store } = options;
  for (let workspace = await store.sweepable(""); workspace !== undefined;) {
    await store.commit(workspace, [{ op: "expireUploads", time: now, limit: BATCH }]);
    const isDone = await deleteOrphans(options, workspace) < BATCH;
    // A workspace with more to delete is processed again; a finished one is not.
    if (isDone) workspace = await store.sweepable(workspace);
  }
}

/** Deletes orphaned blobs of a workspace; returns how many it deleted. */
export async function deleteOrphans(
  { store, blobs }: SweepOptions,
  workspace: string,
): Promise<number> {
  const orphans = await store.orphans(workspace, BATCH);
  for (const orphan of orphans) await blobs.remove(workspace, orphan);
  if (orphans.length > 0) await store.commit(workspace, [{ op: "deleteOrphans", orphans }]);
  return orphans.length;
}

export interface Sweeper {
  /** Stops after the current sweep. */
  stop(): Promise<void>;
}

export interface SweeperOptions extends SweepOptions {
  readonly now: () => number;
  /** Called when a sweep fails; the next one tries again. */
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
