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
import { drain } from "./check_backup.ts";
import { writeBucketList } from "./bucket_files.ts";
import { blobsIn } from "./disk_files.ts";
import type { BackupKey } from "./encryption.ts";
import {
  BUCKET_LIST,
  DATABASE_MEMBERS,
  FILES,
  isFileName,
  KEY_FILE,
  type Manifest,
} from "./manifest.ts";
import { openBackup } from "./open_archive.ts";
import { addRestoreFolders, type RestoreFolders } from "./restore_folders.ts";
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
  const folders = await addRestoreFolders(scratch, options.config);
  const { kind, stream } = await openBackup(source, options.key);
  if (kind === "database") {
    await writeFile(folders.database, stream);
    await checkCopy(folders.database, "sqlite", options);
    await placeDatabase(folders.database, options);
    return { manifest: undefined, notes: [`It has no files: copy them to ${dataDir}/files`] };
  }
  const manifest = await readArchive(stream, (member) => extract(member, folders));
  await checkCopy(folders.database, manifest.database, options);
  await assertKnownSchema(manifest, options);
  // Files that the database does not name yet do no harm, so it comes last.
  const names = await moveFiles(folders.files, `${dataDir}/files`);
  const notes = await placeDatabase(folders.database, options);
  await moveKey(folders.others, dataDir);
  if (options.replace && manifest.files.store === "disk") {
    await removeOthers(`${dataDir}/files`, names);
  }
  return { manifest, notes: [...notes, ...await notesOn(manifest, folders.others, options)] };
}

async function extract(member: ReadMember, folders: RestoreFolders): Promise<void> {
  const { name, chunks } = member;
  // Release 0.9.0 also backed up what other programs had put among the files.
  if (name.startsWith(FILES) && !isFileName(name)) return await drain(member);
  const path = pathOf(name, folders);
  await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, chunks);
}

/** Returns where a member is unpacked to; throws `ArchiveError` if its name is unknown. */
function pathOf(name: string, { others, database, files }: RestoreFolders): string {
  if (name.startsWith(FILES)) return `${files}/${name.slice(FILES.length)}`;
  if (Object.values<string>(DATABASE_MEMBERS).includes(name)) return database;
  if (name === KEY_FILE || name === BUCKET_LIST) return `${others}/${name}`;
  throw damaged(name, "its name is unknown");
}

async function assertDatabaseFree({ config: { database }, replace }: RestoreOptions) {
  if (database.kind === "sqlite") return await assertFree(database.path, replace);
  const { assertFree: assertServerFree } = await import("../../store/postgres/backup.ts");
  await assertServerFree(database.url, replace);
}

/** Checks the copy of a database, and that it suits the database of the configuration. */
async function checkCopy(
  path: string,
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
  if (!await exists(path)) throw damaged(DATABASE_MEMBERS[kind], "it is missing");
  if (kind === "sqlite") checkDatabase(path, label);
}

/**
 * Throws `OperatorError` if a dump is of a later release, whose tables this one cannot use. The copy
 * of a SQLite database tells so itself.
 */
async function assertKnownSchema(
  { database, schema, recto }: Manifest,
  { label }: RestoreOptions,
): Promise<void> {
  if (database !== "postgres") return;
  const { MIGRATIONS } = await import("../../store/postgres/migrations.ts");
  if (MIGRATIONS.some(({ name }) => name === schema)) return;
  throw new OperatorError(
    `${label} is newer than this release: it is of Recto ${recto}, with the migration ${schema}`,
  );
}

const DATABASE_NAMES = { sqlite: "SQLite", postgres: "PostgreSQL" };

/** Puts the copy of a database in place; returns sentences for the operator. */
async function placeDatabase(
  path: string,
  { config: { database }, replace }: RestoreOptions,
): Promise<readonly string[]> {
  if (database.kind === "sqlite") {
    await putInPlace(path, database.path, { replace });
    return [];
  }
  const { restoreDump } = await import("../../store/postgres/backup.ts");
  const { dropped, unknown } = await restoreDump(database.url, path, replace);
  return [
    ...(dropped.length === 0
      ? []
      : [`Dropped the tables that the backup does not have: ${dropped.join(", ")}`]),
    ...(unknown.length === 0 ? [] : [
      `The backup does not have these tables, and this release does not know them: ${
        unknown.join(", ")
      }. Drop those that a later release of Recto created before you upgrade to it`,
    ]),
  ];
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
