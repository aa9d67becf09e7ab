/**
 * File storage according to the configuration: the blob store, signed URLs, and the sweeper that
 * deletes expired files.
 *
 * @module
 */
import type { Files } from "../api/shared/services.ts";
import type { Config } from "../config/config.ts";
import { guardFetch, privateIssue } from "../auth/networks.ts";
import { urlIssue } from "../auth/urls.ts";
import { createBackgroundJobs } from "../files/background_jobs.ts";
import { createFileSources, type FileSources } from "../files/file_source.ts";
import { createDownloadUrls } from "../files/download_urls.ts";
import { createDiskBlobStore } from "../files/disk/blob_store.ts";
import { createDiskMeasure } from "../files/disk/measure.ts";
import { checkFiles, type FileCheck } from "../files/file_check.ts";
import { createSigner } from "../files/signing.ts";
import { startSweeper } from "../files/sweeper.ts";
import type { DamagedFileError } from "../shared/damaged_file.ts";
import type { Log } from "../shared/log.ts";
import type {
  FileKey,
  FileRecord,
  NodeWriter,
  SecretStore,
  UploadReader,
  WorkspaceAdministration,
} from "../store/port.ts";

export interface FileStorageOptions {
  readonly config: Pick<Config, "files" | "dataDir">;
  readonly publicUrl: string;
  readonly store: NodeWriter & SecretStore & UploadReader & WorkspaceAdministration;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** True if this process deletes expired files. */
  readonly sweeps: boolean;
  /** Called with a damaged file that shows while it is sent. */
  readonly onDamaged?: (error: DamagedFileError) => void;
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
  const imports = createBackgroundJobs({
    ...IMPORTS,
    onFailure: (error) => log.event("error", `Recording a fetched file failed: ${error}`),
  });
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
      sources: createSources(files),
      imports,
      downloadUrls: createDownloadUrls({ blobs, validity, now }),
    },
    close: async () => {
      await imports.stop();
      await sweeper?.stop();
    },
  };
}

/** Files that are fetched at a time, of which another server may delay each, and files that wait. */
const IMPORTS = { concurrency: 8, perWorkspace: 4, perUser: 2, maxWaiting: 100 };

/** Creates the access to other servers: private addresses only if the configuration allows them. */
function createSources(
  { privateNetworks }: Pick<Config["files"], "privateNetworks">,
): FileSources {
  const allowed = { loopback: false, privateNetworks, plainHttp: privateNetworks };
  return createFileSources({
    fetch: guardFetch(allowed),
    expectationOf: (url) => {
      const isSecure = privateNetworks || URL.parse(url)?.protocol === "https:";
      const issue = urlIssue("", url, privateNetworks) ?? privateIssue("", url, allowed);
      return isSecure && issue === undefined ? undefined : PUBLIC_URL;
    },
  });
}

const PUBLIC_URL = "an https URL of a public server, without credentials and fragment";

/**
 * Creates the check of files in the background: it compares sizes, and reads the bytes of those alone
 * that `isKnownDamaged`. Undefined with S3, which checks its objects itself.
 */
export function createFileCheck(
  { files, dataDir }: FileStorageOptions["config"],
  store: UploadReader,
  isKnownDamaged: (file: Pick<FileRecord, "workspace" | "id">) => boolean,
): ((after: FileKey | undefined, limit: number) => Promise<FileCheck>) | undefined {
  if (files.s3 !== undefined) return undefined;
  const measure = createDiskMeasure(filesFolder(dataDir), isKnownDamaged);
  return (after, limit) => checkFiles({ read: store.fileRecords, measure }, after, limit);
}

/** Returns the folder of the files on disk. */
export function filesFolder(dataDir: string): string {
  return `${dataDir}/files`;
}

/** Opens the storage of file contents, and what signs URLs. */
export async function openBlobStore(
  { config: { files, dataDir }, publicUrl, store, now, onDamaged }:
    & Omit<FileStorageOptions, "log" | "store" | "sweeps">
    & {
      readonly store: SecretStore;
    },
): Promise<Pick<Files, "blobs" | "signer">> {
  const { validity } = files;
  const signer = createSigner(await store.secret("files"));
  const blobs = files.s3 === undefined
    ? createDiskBlobStore({ folder: filesFolder(dataDir), publicUrl, signer, now, onDamaged })
    : (await import("../files/s3/blob_store.ts")).createS3BlobStore({ ...files.s3, validity, now });
  return { blobs, signer };
}
