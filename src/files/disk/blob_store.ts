/**
 * Blob store in a folder, with file names derived from content hashes. Several processes may share
 * it.
 *
 * @module
 */
import type { Upload } from "../../content/values/uploads.ts";
import { damagedFile, DamagedFileError, OTHER_HASH, otherSize } from "../../shared/damaged_file.ts";
import type { AppError } from "../../shared/errors.ts";
import { uploadConflict } from "../../shared/upload_conflict.ts";
import type {
  BlobStore,
  LocalBlobStore,
  ReceivedBlob,
  ReceivedBytes,
  ReceivedPart,
  UploadTarget,
} from "../blob_store.ts";
import { cachePing } from "../cached_ping.ts";
import type { Signer } from "../signing.ts";
import { checkWhileRead } from "./check_while_read.ts";
import { mapDiskErrors } from "./disk_errors.ts";
import { deleteIfExists, probeFile, syncFolder, writeFile } from "./file_io.ts";
import { createPaths, partNumber, type Paths } from "./paths.ts";
import { createReader } from "./reader.ts";

export interface DiskBlobStoreOptions {
  readonly folder: string;
  /** The origin of signed URLs. */
  readonly publicUrl: string;
  readonly signer: Signer;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called with a damaged file that shows while it is sent. */
  readonly onDamaged?: ((error: DamagedFileError) => void) | undefined;
}

/** Bytes that the disk must take for files to count as writable. */
const PROBE_SIZE = 65_536;

/** Creates a blob store on disk; the folder is created with the first file or ping. */
export function createDiskBlobStore(
  { folder, publicUrl, signer, now, onDamaged }: DiskBlobStoreOptions,
): BlobStore {
  const paths = createPaths(folder);
  const local = createLocalBlobStore(paths, onDamaged);
  return {
    takesParts: true,
    uploadTarget: (workspace, upload) =>
      Promise.resolve(toUploadTarget(workspace, upload, { publicUrl, signer })),
    downloadUrl: (workspace, { id: uploadId, filename }, expires) => {
      const path = signer.sign({ purpose: "content", workspace, uploadId }, expires, filename);
      return Promise.resolve(publicUrl + path);
    },
    find: () => Promise.resolve(undefined),
    remove: async (workspace, { blob }) => {
      if (blob !== "") await deleteIfExists(paths.blob(workspace, blob));
    },
    ping: cachePing(() => assertWritable(folder, paths), now),
    local,
    receiver: local,
  };
}

/** Throws `storage_full` or `storage_read_only` if no file can be written. */
function assertWritable(folder: string, { probe }: Paths): Promise<void> {
  return mapDiskErrors(async () => {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    // Random, because a file system that compresses would store zeros in no space.
    await probeFile(probe, crypto.getRandomValues(new Uint8Array(PROBE_SIZE)));
  });
}

function toUploadTarget(
  workspace: string,
  { id, parts, contentType, expiresTime, createdTime, life }: Upload,
  { publicUrl, signer }: Pick<DiskBlobStoreOptions, "publicUrl" | "signer">,
): UploadTarget {
  const expires = expiresTime ?? createdTime + life;
  const url = (purpose: "upload" | "complete") =>
    publicUrl + signer.sign({ purpose, workspace, uploadId: id }, expires);
  return {
    url: url("upload"),
    headers: { "content-type": contentType ?? "application/octet-stream" },
    ...(parts !== null && { completeUrl: url("complete") }),
  };
}

function createLocalBlobStore(
  paths: Paths,
  onDamaged: DiskBlobStoreOptions["onDamaged"],
): LocalBlobStore {
  const reader = createReader();
  const write = (workspace: string, uploadId: string, chunks: AsyncIterable<Uint8Array>) =>
    onTemporaryFile(async (): Promise<TemporaryFile> => {
      const folder = paths.incoming(workspace, uploadId);
      await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
      const path = `${folder}/${crypto.randomUUID()}`;
      return { ...await writeFile(path, chunks), workspace, uploadId, path };
    });
  return {
    receive: async (...sent) => toBlob(await write(...sent), paths),
    receivePart: async (...sent) => toPart(await write(...sent), paths),
    removeParts: (workspace, uploadId) => deleteIfExists(paths.incoming(workspace, uploadId)),
    unfinished: (workspace) => namesIn(paths.allIncoming(workspace)),
    parts: async (workspace, uploadId) => {
      const folder = paths.incoming(workspace, uploadId);
      return (await namesIn(folder)).flatMap((name) => partNumber(name) ?? []);
    },
    join: async function* (workspace, uploadId, parts) {
      for (let number = 1; number <= parts; number++) {
        const bytes = await reader.read(paths.part(workspace, uploadId, number));
        if (bytes === undefined) throw new Error(`Part ${number} of ${uploadId} is missing`);
        yield* bytes;
      }
    },
    read: async (workspace, file, piece) => {
      const damage = (issue: string): AppError => {
        const error = new DamagedFileError(workspace, file.id, issue);
        onDamaged?.(error);
        return damagedFile(error);
      };
      const assertSize = (found: number): void => {
        if (found !== file.size) throw damage(otherSize(found, file.size));
      };
      const bytes = await reader.read(paths.blob(workspace, file.blob), { piece, assertSize });
      if (bytes === undefined || piece !== undefined) return bytes;
      return await checkWhileRead(bytes, file, () => damage(OTHER_HASH));
    },
  };
}

/** Bytes that were received and synced. */
interface TemporaryFile extends Pick<ReceivedBytes, "size" | "hash"> {
  readonly workspace: string;
  readonly uploadId: string;
  readonly path: string;
}

/**
 * Runs work on a temporary file. Another request that completes the upload deletes its folder.
 */
async function onTemporaryFile<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await mapDiskErrors(work);
  } catch (error) {
    throw error instanceof Deno.errors.NotFound ? uploadConflict(error) : error;
  }
}

function toBlob({ size, hash, workspace, path }: TemporaryFile, paths: Paths): ReceivedBlob {
  return {
    size,
    hash,
    store: (blob) =>
      onTemporaryFile(async () => {
        const folders = paths.folders(workspace, blob);
        await Deno.mkdir(folders.at(-1) ?? "", { recursive: true, mode: 0o700 });
        await Deno.rename(path, paths.blob(workspace, blob));
        for (const folder of folders.toReversed()) await syncFolder(folder);
      }),
    [Symbol.asyncDispose]: () => deleteIfExists(path),
  };
}

function toPart(
  { size, hash, workspace, uploadId, path }: TemporaryFile,
  paths: Paths,
): ReceivedPart {
  return {
    size,
    hash,
    store: (number) =>
      onTemporaryFile(async () => {
        await Deno.rename(path, paths.part(workspace, uploadId, number));
        await syncFolder(paths.incoming(workspace, uploadId));
      }),
    [Symbol.asyncDispose]: () => deleteIfExists(path),
  };
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const names = [];
    for await (const { name } of Deno.readDir(folder)) names.push(name);
    return names;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
