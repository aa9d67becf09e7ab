/**
 * The place of archives: a folder, or a prefix in a bucket.
 *
 * @module
 */
import { createRelay } from "../../files/s3/relay.ts";
import { deleteObject, listObjects, objectSize, readObject } from "./bucket_objects.ts";
import { deleteIfExists, syncFolder, writeFile } from "../../files/disk/file_io.ts";
import type { BackupTarget } from "../../config/backups.ts";
import { OperatorError } from "../../store/operator_error.ts";
import { statIfExists } from "../../store/sqlite/file.ts";
import { checkWritten, passChecked } from "./check_backup.ts";
import type { BackupKey } from "./encryption.ts";
import { partialName, removeAbandoned } from "./scratch.ts";

export interface Place {
  /** Full name of an archive, for messages. */
  describe(name: string): string;
  /** Returns the archives with their sizes, oldest first. */
  list(): Promise<readonly StoredArchive[]>;
  /** Reads an archive. */
  open(name: string): Promise<ReadableStream<Uint8Array>>;
  /**
   * Stores an archive under this name, durably and at once when all of it is there and checked;
   * resolves to its bytes. `key` is what it is encrypted with. If it rejects, nothing is stored.
   */
  store(
    name: string,
    archive: ReadableStream<Uint8Array>,
    key: BackupKey | undefined,
  ): Promise<number>;
  remove(name: string): Promise<void>;
}

export interface StoredArchive {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

const NAME = /^recto-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar(?:\.age)?$/;

/** Name of an archive of this time. */
export function archiveName(time: number, isEncrypted: boolean): string {
  const stamp = new Date(time).toISOString().slice(0, 19).replaceAll(":", "-");
  return `recto-${stamp}Z.tar${isEncrypted ? ".age" : ""}`;
}

/** Returns the time in the name of an archive; undefined if it was given another name. */
export function timeOfArchive(name: string): number | undefined {
  const [, day, hour, minute, second] = NAME.exec(name) ?? [];
  const time = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** Opens a place; nothing is read or created. */
export function openPlace(target: BackupTarget): Place {
  return target.kind === "s3" ? bucketPlace(target) : folderPlace(target.path);
}

function folderPlace(folder: string): Place {
  const pathOf = (name: string) => `${folder}/${name}`;
  return {
    describe: pathOf,
    list: async () => {
      const found: StoredArchive[] = [];
      for (const name of await namesIn(folder)) {
        if (timeOfArchive(name) === undefined) continue;
        // Another process may delete it meanwhile.
        const info = await statIfExists(pathOf(name));
        if (info?.isFile) found.push({ name, size: info.size });
      }
      return found.sort(byName);
    },
    open: async (name) => (await Deno.open(pathOf(name))).readable,
    store: async (name, archive, key) => {
      await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
      await removeAbandoned(folder);
      const partial = pathOf(partialName());
      try {
        const written = await writeFile(partial, archive);
        await checkWritten(partial, written, key);
        await renameToNew(partial, pathOf(name));
        await syncFolder(folder);
        return written.size;
      } finally {
        await deleteIfExists(partial);
      }
    },
    remove: (name) => Deno.remove(pathOf(name)),
  };
}

/** Renames a file to a name that none has; of two processes, the second is refused. */
async function renameToNew(from: string, to: string): Promise<void> {
  try {
    (await Deno.open(to, { write: true, createNew: true, mode: 0o600 })).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    throw new OperatorError(`The file already exists: ${to}`);
  }
  try {
    await Deno.rename(from, to);
  } catch (error) {
    await deleteIfExists(to);
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** S3 takes 10,000 parts: archives of up to 312 GiB. */
const PART = 32 * 1024 ** 2;

function bucketPlace({ bucket, prefix }: Extract<BackupTarget, { kind: "s3" }>): Place {
  const start = prefix === "" ? "" : `${prefix}/`;
  const describe = (name: string) => `s3://${bucket.bucket}/${start}${name}`;
  const relay = createRelay(bucket, Date.now, PART);
  return {
    describe,
    list: async () => {
      const found: StoredArchive[] = [];
      for await (const { key, size } of listObjects(bucket, `${start}recto-`)) {
        const name = key.slice(start.length);
        if (timeOfArchive(name) !== undefined) found.push({ name, size });
      }
      return found.sort(byName);
    },
    open: async (name) => {
      const stream = await readObject(bucket, start + name);
      if (stream === undefined) throw new OperatorError(`No such backup: ${describe(name)}`);
      return stream;
    },
    store: async (name, archive, backupKey) => {
      const key = start + name;
      if (await objectSize(bucket, key) !== undefined) {
        throw new OperatorError(`The object already exists: ${describe(name)}`);
      }
      const size = await relay({
        key,
        contentType: "application/octet-stream",
        chunks: passChecked(archive, backupKey),
      });
      const stored = await objectSize(bucket, key);
      if (stored !== size) {
        throw new OperatorError(`${describe(name)} has ${stored} bytes in place of ${size}`);
      }
      return size;
    },
    remove: (name) => deleteObject(bucket, start + name),
  };
}

function byName({ name: a }: StoredArchive, { name: b }: StoredArchive): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
