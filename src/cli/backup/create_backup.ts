/**
 * Makes a backup: one archive with the database, the files and the key of the local issuer.
 *
 * @module
 */
import type { Config } from "../../config/config.ts";
import { OperatorError } from "../../store/operator_error.ts";
import { exists } from "../../store/sqlite/file.ts";
import { VERSION } from "../../app/version.ts";
import { type ArchiveWriter, createArchiveWriter } from "./archive_writer.ts";
import { countMissing, writeBucketList } from "./bucket_files.ts";
import { copyDatabase, type DatabaseCopy } from "./database.ts";
import { createDiskFiles, readChunks } from "./disk_files.ts";
import { type BackupKey, encrypt } from "./encryption.ts";
import { BUCKET_LIST, DATABASE_MEMBERS, KEY_FILE, type Manifest } from "./manifest.ts";
import type { Place } from "./place.ts";
import { openScratch } from "./scratch.ts";

export interface BackupOptions {
  readonly config: Pick<Config, "database" | "dataDir" | "files">;
  readonly place: Place;
  /** Name of the archive. */
  readonly name: string;
  /** Undefined: not encrypted. */
  readonly key: BackupKey | undefined;
  /** Number of archives that remain; undefined: all. */
  readonly keep: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface FinishedBackup {
  /** The path or URL of the archive. */
  readonly place: string;
  /** Bytes of the archive. */
  readonly size: number;
  readonly files: Manifest["files"];
  /** Older archives that were deleted. */
  readonly pruned: readonly string[];
  /** Archives whose names have a later time, so that they were neither counted nor deleted. */
  readonly later: readonly string[];
}

/**
 * Makes a backup and checks it. Nothing stays under the name of the archive unless all of it is
 * there. Older archives are only deleted once the new one is complete.
 */
export async function createBackup(options: BackupOptions): Promise<FinishedBackup> {
  const { config, place, name } = options;
  await using scratch = await openScratch(config.dataDir);
  const { size, files } = await writeArchive(options, scratch.path);
  const { pruned, later } = files.missing === 0 ? await prune(options) : { pruned: [], later: [] };
  return { place: place.describe(name), size, files, pruned, later };
}

async function writeArchive(
  options: BackupOptions,
  scratch: string,
): Promise<{ readonly size: number; readonly files: Manifest["files"] }> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const sink = writable.getWriter();
  const { key, now, place, name } = options;
  const stream = key === undefined ? readable : await encrypt(readable, key);
  const stored = place.store(name, stream, key);
  // Nobody would read what is written from then on.
  stored.catch((error) => stream.cancel(error).catch(() => {}));
  try {
    const files = await addMembers(
      createArchiveWriter((bytes) => sink.write(bytes), now),
      options,
      scratch,
    );
    await sink.close();
    return { size: await stored, files };
  } catch (error) {
    await sink.abort(error).catch(() => {});
    // A full disk ends the stream, and then the members cannot be written.
    await stored;
    throw error;
  }
}

async function addMembers(
  writer: ArchiveWriter,
  { config, now }: BackupOptions,
  scratch: string,
): Promise<Manifest["files"]> {
  const path = `${scratch}/database`;
  const { files, copy } = config.files.s3 === undefined
    ? await addDiskFiles(writer, config, path)
    : await addBucketList(writer, { bucket: config.files.s3, config, scratch, path });
  await addFile(writer, DATABASE_MEMBERS[config.database.kind], copy.path);
  const keyFile = `${config.dataDir}/${KEY_FILE}`;
  if (await exists(keyFile)) await addFile(writer, KEY_FILE, keyFile);
  await writer.end({
    recto: VERSION,
    schema: copy.schema,
    time: new Date(now).toISOString(),
    database: config.database.kind,
    files,
  });
  return files;
}

/** Times that the database is copied until all of its files are there. */
const ATTEMPTS = 3;

/**
 * Adds files first, then those that came until the database was copied. A file that is deleted in
 * between left the database before, so that the next copy does not name it.
 */
async function addDiskFiles(
  writer: ArchiveWriter,
  { dataDir, database }: BackupOptions["config"],
  path: string,
): Promise<{ readonly files: Manifest["files"]; readonly copy: DatabaseCopy }> {
  const source = createDiskFiles(`${dataDir}/files`, writer);
  await source.addAll();
  for (let attempt = 1;; attempt++) {
    const copy = await copyDatabase(database, path);
    const missing = await source.addMissing(copy.blobs());
    if (missing > 0 && attempt < ATTEMPTS) continue;
    const { names, bytes } = source.added();
    return { copy, files: { store: "disk", count: names.size, bytes, missing } };
  }
}

interface BucketOptions {
  readonly bucket: NonNullable<Config["files"]["s3"]>;
  readonly config: BackupOptions["config"];
  readonly scratch: string;
  readonly path: string;
}

async function addBucketList(
  writer: ArchiveWriter,
  { bucket, config: { database }, scratch, path }: BucketOptions,
): Promise<{ readonly files: Manifest["files"]; readonly copy: DatabaseCopy }> {
  const listPath = `${scratch}/${BUCKET_LIST}`;
  for (let attempt = 1;; attempt++) {
    const copy = await copyDatabase(database, path);
    const list = await writeBucketList(bucket, listPath);
    const missing = countMissing(list, copy.blobs());
    if (missing > 0 && attempt < ATTEMPTS) continue;
    await addFile(writer, BUCKET_LIST, listPath);
    return { copy, files: { store: "s3", count: list.keys.size, bytes: list.bytes, missing } };
  }
}

async function addFile(writer: ArchiveWriter, name: string, path: string): Promise<void> {
  using file = await Deno.open(path);
  await writer.add(name, (await file.stat()).size, readChunks(file));
}

/**
 * Deletes the oldest archives up to the new one. Those with a later time remain: the clock was wrong
 * when they were made, or it is now.
 */
async function prune(
  { place, name, keep }: BackupOptions,
): Promise<Pick<FinishedBackup, "pruned" | "later">> {
  if (keep === undefined) return { pruned: [], later: [] };
  const archives = (await place.list()).map((archive) => archive.name);
  const end = archives.indexOf(name) + 1;
  const old = archives.slice(0, Math.max(0, end - keep));
  for (const one of old) {
    try {
      await place.remove(one);
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      throw new OperatorError(`${place.describe(one)} cannot be deleted: ${reason}`);
    }
  }
  return { pruned: old.map(place.describe), later: archives.slice(end).map(place.describe) };
}
