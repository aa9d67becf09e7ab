/**
 * File storage according to the configuration: the blob store, signed URLs, and the sweeper that
 * deletes expired files.
 *
 * @module
 */
import type { Files } from "../api/shared/services.ts";
import type { Config } from "../config/config.ts";
import { createDownloadUrls } from "../files/download_urls.ts";
import { createDiskBlobStore } from "../files/disk/blob_store.ts";
import { createSigner } from "../files/signing.ts";
import { startSweeper } from "../files/sweeper.ts";
import type { Log } from "../shared/log.ts";
import type { NodeWriter, SecretStore, UploadReader } from "../store/port.ts";

export interface FileStorageOptions {
  readonly config: Pick<Config, "files" | "dataDir">;
  readonly publicUrl: string;
  readonly store: NodeWriter & SecretStore & UploadReader;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether this process deletes expired files. */
  readonly sweeps: boolean;
}

export interface FileStorage {
  readonly files: Files;
  /** Stops the sweeper. */
  close(): Promise<void>;
}

/** Opens file storage and starts the sweeper. */
export async function openFileStorage(options: FileStorageOptions): Promise<FileStorage> {
  const { config: { files }, store, log, now } = options;
  const { maxBytes, validity, life } = files;
  const { blobs, signer } = await openBlobStore(options);
  const sweeper = options.sweeps
    ? startSweeper({
      store,
      blobs,
      now,
      onFailure: (error) => log.event("error", `Deleting expired files failed: ${error}`),
    })
    : undefined;
  return {
    files: {
      blobs,
      signer,
      maxBytes,
      life,
      downloadUrls: createDownloadUrls({ blobs, validity, now }),
    },
    close: async () => await sweeper?.stop(),
  };
}

/** Opens the storage of file contents, and what signs URLs. */
export async function openBlobStore(
  { config: { files, dataDir }, publicUrl, store, now }:
    & Omit<FileStorageOptions, "log" | "store" | "sweeps">
    & {
      readonly store: SecretStore;
    },
): Promise<Pick<Files, "blobs" | "signer">> {
  const { validity } = files;
  const signer = createSigner(await store.secret("files"));
  const blobs = files.s3 === undefined
    ? createDiskBlobStore({ folder: `${dataDir}/files`, publicUrl, signer })
    : (await import("../files/s3/blob_store.ts")).createS3BlobStore({ ...files.s3, validity, now });
  return { blobs, signer };
}
