/**
 * Restores a backup: reads and checks all of it beside the content of the data folder, then puts it
 * in place.
 *
 * @module
 */
import { dirname } from "node:path";
import type { Config } from "../../config/config.ts";
import { deleteIfExists, syncFolder, writeFile } from "../../files/disk/file_io.ts";
import { OperatorError } from "../../store/operator_error.ts";
import { assertFree, checkDatabase, putInPlace } from "../../store/sqlite/backup.ts";
import { exists } from "../../store/sqlite/file.ts";
import { damaged } from "./archive_error.ts";
import { readArchive } from "./archive_reader.ts";
import { writeBucketList } from "./bucket_files.ts";
import { blobsIn } from "./disk_files.ts";
import type { BackupKey } from "./encryption.ts";
import { BUCKET_LIST, DATABASE_MEMBERS, FILES, KEY_FILE, type Manifest } from "./manifest.ts";
import { openBackup } from "./open_archive.ts";
import { openScratch } from "./scratch.ts";
import type { ReadMember } from "./tar.ts";

export interface RestoreOptions {
  /** The configuration of the place to restore to. */
  readonly config: Pick<Config, "database" | "dataDir" | "files">;
  /** True if content that is there is replaced. */
  readonly replace: boolean;
  readonly key: BackupKey | undefined;
  /** Name of the archive, for messages. */
  readonly label: string;
}

export interface RestoredBackup {
  /** Undefined for a database file of an earlier release. */
  readonly manifest: Manifest | undefined;
  /** Sentences for the operator. */
  readonly notes: readonly string[];
}

/** Restores a backup. Changes nothing unless all of it is sound and nothing else would be lost. */
export async function restoreBackup(
  source: ReadableStream<Uint8Array>,
  options: RestoreOptions,
): Promise<RestoredBackup> {
  const { dataDir } = options.config;
  await assertDatabaseFree(options);
  await using scratch = await openScratch(dataDir);
  const { kind, stream } = await openBackup(source, options.key);
  if (kind === "database") {
    await writeFile(`${scratch.path}/${DATABASE_MEMBERS.sqlite}`, stream);
    await checkCopy(scratch.path, "sqlite", options);
    await placeDatabase(scratch.path, options);
    return { manifest: undefined, notes: [`It has no files: copy them to ${dataDir}/files`] };
  }
  const manifest = await readArchive(stream, (member) => extract(member, scratch.path));
  await checkCopy(scratch.path, manifest.database, options);
  // Files that the database does not name yet do no harm, so it comes last.
  const names = await moveFiles(`${scratch.path}/files`, `${dataDir}/files`);
  await placeDatabase(scratch.path, options);
  await moveKey(scratch.path, dataDir);
  if (options.replace && manifest.files.store === "disk") {
    await removeOthers(`${dataDir}/files`, names);
  }
  return { manifest, notes: await notesOn(manifest, scratch.path, options) };
}

const FILE_NAME = /^files\/[0-9a-f]{32}\/[\w-]+\/[\w-]+$/;
const OTHERS = new Set<string>([...Object.values(DATABASE_MEMBERS), KEY_FILE, BUCKET_LIST]);

async function extract({ name, chunks }: ReadMember, folder: string): Promise<void> {
  if (!FILE_NAME.test(name) && !OTHERS.has(name)) throw damaged(name, "its name is unknown");
  const path = `${folder}/${name}`;
  if (name.startsWith(FILES)) await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, chunks);
}

async function assertDatabaseFree({ config: { database }, replace }: RestoreOptions) {
  if (database.kind === "sqlite") return await assertFree(database.path, replace);
  const { assertFree: assertServerFree } = await import("../../store/postgres/backup.ts");
  await assertServerFree(database.url, replace);
}

/** Checks the copy of a database, and that it suits the database of the configuration. */
async function checkCopy(
  folder: string,
  kind: Manifest["database"],
  { config: { database }, label }: RestoreOptions,
): Promise<void> {
  if (kind !== database.kind) {
    const [theirs, ours] = [kind, database.kind].map((one) => DATABASE_NAMES[one]);
    throw new OperatorError(
      `${label} is a backup of ${theirs}, and DATABASE_URL names ${ours}: restore it to ${theirs}, ` +
        "then `recto copy` copies from one to the other",
    );
  }
  if (!await exists(`${folder}/${DATABASE_MEMBERS[kind]}`)) {
    throw damaged(DATABASE_MEMBERS[kind], "it is missing");
  }
  if (kind === "sqlite") checkDatabase(`${folder}/${DATABASE_MEMBERS.sqlite}`, label);
}

const DATABASE_NAMES = { sqlite: "SQLite", postgres: "PostgreSQL" };

async function placeDatabase(
  folder: string,
  { config: { database }, replace }: RestoreOptions,
): Promise<void> {
  const path = `${folder}/${DATABASE_MEMBERS[database.kind]}`;
  if (database.kind === "sqlite") {
    await Deno.mkdir(dirname(database.path), { recursive: true, mode: 0o700 });
    return await putInPlace(path, database.path, { replace });
  }
  const { restoreDump } = await import("../../store/postgres/backup.ts");
  await restoreDump(database.url, path, replace);
}

/** Moves the files of one folder into another, and returns their paths below it. */
async function moveFiles(from: string, to: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const folders = new Set<string>();
  for await (const name of blobsIn(from)) {
    const target = `${to}/${name}`;
    await Deno.mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await Deno.rename(`${from}/${name}`, target);
    names.add(name);
    folders.add(dirname(target)).add(dirname(dirname(target))).add(to);
  }
  for (const folder of folders) await syncFolder(folder);
  return names;
}

async function moveKey(from: string, dataDir: string): Promise<void> {
  if (!await exists(`${from}/${KEY_FILE}`)) return;
  await Deno.rename(`${from}/${KEY_FILE}`, `${dataDir}/${KEY_FILE}`);
  await syncFolder(dataDir);
}

/** Removes the files of the replaced database. */
async function removeOthers(folder: string, names: ReadonlySet<string>): Promise<void> {
  for await (const name of blobsIn(folder)) {
    if (!names.has(name)) await deleteIfExists(`${folder}/${name}`);
  }
}

async function notesOn(
  { files }: Manifest,
  folder: string,
  { config }: RestoreOptions,
): Promise<string[]> {
  const missing = files.missing === 0 ? [] : [
    `${files.missing} files were missing already when the backup was made`,
  ];
  if (files.store === "disk") {
    return config.files.s3 === undefined ? missing : [
      ...missing,
      `The files are in ${config.dataDir}/files, and RECTO_FILES=s3 does not read them there`,
    ];
  }
  if (config.files.s3 === undefined) {
    return [...missing, "The files are in a bucket: set RECTO_FILES=s3 and RECTO_S3_…"];
  }
  const gone = await countGone(`${folder}/${BUCKET_LIST}`, config.files.s3, folder);
  return gone === 0
    ? missing
    : [...missing, `${gone} of ${files.count} files are not in the bucket, or changed since`];
}

/** Returns how many files of a list are not in a bucket as they were. */
async function countGone(
  list: string,
  bucket: NonNullable<Config["files"]["s3"]>,
  folder: string,
): Promise<number> {
  const now = `${folder}/now.jsonl`;
  await writeBucketList(bucket, now);
  const there = new Set((await Deno.readTextFile(now)).split("\n"));
  const lines = (await Deno.readTextFile(list)).split("\n");
  return lines.filter((line) => line !== "" && !there.has(line)).length;
}
