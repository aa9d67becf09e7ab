/**
 * Download URLs that stay the same for a while.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import type { DownloadUrl } from "../content/values/hosted_files.ts";
import { mediaTypeOf, type Upload } from "../content/values/uploads.ts";
import type { BlobStore, StoredFile } from "./blob_store.ts";

/** Returns download URLs by upload ID; uploads without bytes are left out. */
export type DownloadUrls = (
  workspace: string,
  uploads: readonly Upload[],
) => Promise<ReadonlyMap<string, DownloadUrl>>;

export interface DownloadUrlOptions {
  readonly blobs: BlobStore;
  /**
   * Maximum validity of a URL in milliseconds; at least half of it remains when a client gets one.
   */
  readonly validity: number;
  readonly now: () => number;
}

/** Maximum number of signed URLs in the cache. */
const MAX_URLS = 2_000;

/**
 * Creates URLs with a common expiry that advances twice per validity, so that a response stays the
 * same in between, and so does its entity tag.
 */
export function createDownloadUrls({ blobs, validity, now }: DownloadUrlOptions): DownloadUrls {
  const step = validity / 2;
  const signed = new LRUCache<string, string>({ max: MAX_URLS });
  const urlOf = async (workspace: string, file: StoredFile, expires: number): Promise<string> => {
    const key = JSON.stringify([workspace, file, expires]);
    const url = signed.get(key) ?? await blobs.downloadUrl(workspace, file, expires);
    signed.set(key, url);
    return url;
  };
  return async (workspace, uploads) => {
    const expires = (Math.floor(now() / step) + 2) * step;
    const expiry_time = new Date(expires).toISOString();
    const downloadUrls = uploads.flatMap((upload) => toStoredFile(upload) ?? []).map(
      async (file) => {
        const url = await urlOf(workspace, file, expires);
        return [file.id, { url, expiry_time }] as const;
      },
    );
    return new Map(await Promise.all(downloadUrls));
  };
}

/** Returns the file of an upload; undefined if its bytes are not stored yet. */
export function toStoredFile(
  { id, status, filename, contentType, blob }: Upload,
): StoredFile | undefined {
  if (status !== "uploaded" || filename === null || contentType === null || blob === null) {
    return undefined;
  }
  // Earlier releases stored any text that a form had as the type.
  return { id, filename, contentType: mediaTypeOf(contentType), blob };
}
