/**
 * Deletes expired uploads: those without a reference once their time is over. At the start of the
 * service, also what a crash has left of uploads.
 *
 * @module
 */
import type { OrphanedBlob } from "../content/values/uploads.ts";
import type { NodeWriter, UploadReader, WorkspaceAdministration } from "../store/port.ts";
import type { BlobStore, LocalBlobStore } from "./blob_store.ts";

export interface SweepOptions {
  readonly store: NodeWriter & UploadReader;
  readonly blobs: BlobStore;
  /** Ends a sweep; the next one continues it. */
  readonly signal?: AbortSignal;
}

/** Uploads per transaction. */
const BATCH = 100;
const INTERVAL = 5 * 60 * 1_000;

/**
 * Deletes all uploads that have expired by `now`, in all workspaces, and their files. What cannot be
 * deleted does not keep the rest; the first failure is thrown at the end.
 *
 * A transaction checks that nothing refers to an upload and deletes it; its file is deleted
 * afterwards, and file names are never reused. So any number of processes may sweep while others
 * attach uploads.
 */
export async function sweep(options: SweepOptions, now: number): Promise<void> {
  const { store, signal } = options;
  const failures: unknown[] = [];
  for (let workspace = await store.sweepable(""); workspace !== undefined;) {
    if (signal?.aborted) return;
    const isDone = await sweepWorkspace(options, workspace, now).catch((error) => {
      failures.push(error);
      return true;
    });
    // A workspace with more to delete is processed again; a finished one is not.
    if (isDone) workspace = await store.sweepable(workspace);
  }
  if (failures.length > 0) throw failures[0];
}

/** Deletes the next uploads of a workspace; returns false if there are more. */
async function sweepWorkspace(
  options: SweepOptions,
  workspace: string,
  time: number,
): Promise<boolean> {
  await options.store.commit(workspace, [{ op: "expireUploads", time, limit: BATCH }]);
  return await deleteOrphans(options, workspace) < BATCH;
}

/**
 * Deletes orphaned blobs of a workspace; returns how many it deleted. Throws the first failure once it
 * has tried all.
 */
export async function deleteOrphans(
  options: SweepOptions,
  workspace: string,
): Promise<number> {
  const { store, blobs, signal } = options;
  const found = await store.orphans(workspace, BATCH);
  const stale = await withoutPending(store, workspace, found.map(({ uploadId }) => uploadId));
  const orphans: OrphanedBlob[] = [];
  const failures: unknown[] = [];
  for (const orphan of found) {
    if (signal?.aborted) break;
    try {
      if (stale.has(orphan.uploadId)) {
        await blobs.receiver.removeParts(workspace, orphan.uploadId);
      }
      await blobs.remove(workspace, orphan);
      orphans.push(orphan);
    } catch (error) {
      failures.push(error);
    }
  }
  if (orphans.length > 0) await store.commit(workspace, [{ op: "deleteOrphans", orphans }]);
  if (failures.length > 0) throw failures[0];
  return orphans.length;
}

/** Returns those uploads that take no more bytes: an upload that does needs its parts. */
async function withoutPending(
  store: UploadReader,
  workspace: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const uploads = await store.uploads(workspace, ids);
  const pending = uploads.filter(({ status }) => status === "pending").map(({ id }) => id);
  return new Set(ids).difference(new Set(pending));
}

export interface UnfinishedOptions {
  readonly store: UploadReader & Pick<WorkspaceAdministration, "nextWorkspace">;
  readonly blobs: LocalBlobStore;
  readonly signal?: AbortSignal;
}

/** Deletes parts and unfinished bytes of uploads that take no more, which only a crash leaves. */
export async function deleteUnfinished(
  { store, blobs, signal }: UnfinishedOptions,
): Promise<void> {
  for (
    let workspace = await store.nextWorkspace("");
    workspace !== undefined && !signal?.aborted;
    workspace = await store.nextWorkspace(workspace)
  ) {
    const ids = await blobs.unfinished(workspace);
    for (let start = 0; start < ids.length; start += BATCH) {
      const batch = ids.slice(start, start + BATCH);
      for (const id of await withoutPending(store, workspace, batch)) {
        await blobs.removeParts(workspace, id);
      }
    }
  }
}

export interface Sweeper {
  /** Stops after the file that is being deleted. */
  stop(): Promise<void>;
}

export interface SweeperOptions extends Omit<SweepOptions, "signal"> {
  readonly store: SweepOptions["store"] & UnfinishedOptions["store"];
  readonly now: () => number;
  /** Called when a sweep fails; the next one tries again. */
  readonly onFailure: (error: unknown) => void;
}

/** Deletes at once what a crash has left, then sweeps every few minutes. */
export function startSweeper({ now, onFailure, store, blobs }: SweeperOptions): Sweeper {
  const stopped = new AbortController();
  const { signal } = stopped;
  let sweeping = blobs.local === undefined
    ? Promise.resolve()
    : deleteUnfinished({ store, blobs: blobs.local, signal }).catch(report);
  const timer = setInterval(() => {
    sweeping = sweeping.then(() => sweep({ store, blobs, signal }, now())).catch(report);
  }, INTERVAL);
  Deno.unrefTimer(timer);

  function report(error: unknown): void {
    if (!signal.aborted) onFailure(error);
  }

  return {
    stop: () => {
      clearInterval(timer);
      stopped.abort();
      return sweeping;
    },
  };
}
