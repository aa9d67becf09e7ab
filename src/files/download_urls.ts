/**
 * Addresses under which files are read, the same for a while.
 *
 * @module
 */
import type { FileAddress } from "../content/values/hosted_files.ts";
import type { Upload } from "../content/values/uploads.ts";
import type { BlobStore, StoredFile } from "./blob_store.ts";

/** The addresses of uploads that arrived, by id. */
export type DownloadUrls = (
  workspace: string,
  uploads: readonly Upload[],
) => Promise<ReadonlyMap<string, FileAddress>>;

export interface DownloadUrlOptions {
  readonly blobs: BlobStore;
  /** Milliseconds that an address is valid for at most, and half of it at least. */
  readonly validity: number;
  readonly now: () => number;
}

/**
 * Makes addresses that all end at the same moment, which moves on twice in a validity: an answer that
 * is made again in between is the same, and so is its entity tag.
 */
export function createDownloadUrls({ blobs, validity, now }: DownloadUrlOptions): DownloadUrls {
  const step = validity / 2;
  return async (workspace, uploads) => {
    const expires = (Math.floor(now() / step) + 2) * step;
    const expiry_time = new Date(expires).toISOString();
    const addresses = uploads.flatMap((upload) => toStoredFile(upload) ?? []).map(async (file) => {
      const url = await blobs.downloadUrl(workspace, file, expires);
      return [file.id, { url, expiry_time }] as const;
    });
    return new Map(await Promise.all(addresses));
  };
}

/** The file of an upload; undefined where its bytes are not there. */
export function toStoredFile(
  { id, status, filename, contentType, blob }: Upload,
): StoredFile | undefined {
  if (status !== "uploaded" || filename === null || contentType === null || blob === null) {
    return undefined;
  }
  return { id, filename, contentType, blob };
}
