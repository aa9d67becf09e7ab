/**
 * Backing up a SQLite file and restoring it.
 *
 * @module
 */
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { OperatorError } from "../operator_error.ts";
import { exists, removeQuietly } from "./file.ts";
import { MIGRATIONS, planMigrations } from "./migrations.ts";

/** Suffixes of the files that SQLite creates next to a database. */
const SUFFIXES = ["-wal", "-shm", "-journal"];

/** Tables that every server fills at its first start. */
const OF_A_START = new Set(["migrations", "secrets"]);

/** SQLite's result code SQLITE_BUSY. */
const LOCKED = 5;

/**
 * Copies a consistent state of a database, even during writes, to a new file for this user alone.
 * What was written is checked; nothing stays of it where anything fails.
 */
export async function backUp(source: string, target: string): Promise<void> {
  await Deno.mkdir(dirname(target), { recursive: true, mode: 0o700 });
  (await Deno.open(target, { write: true, createNew: true, mode: 0o600 })).close();
  try {
    await copyDatabase(source, target);
    checkDatabase(target, source);
  } catch (error) {
    for (const ending of ["", ...SUFFIXES]) await removeQuietly(target + ending);
    if (!isSqliteError(error)) throw error;
    throw new OperatorError(`${source} cannot be copied: ${error.message}`, { cause: error });
  }
}

/** Renames a database that was checked to the path of the server's; throws as `assertFree()` does. */
export async function putInPlace(
  fresh: string,
  path: string,
  { replace }: { readonly replace: boolean },
): Promise<void> {
  // A server may have been started in the meantime.
  await assertFree(path, replace);
  // SQLite would apply the log of the replaced file to this one.
  for (const ending of SUFFIXES) await removeQuietly(path + ending);
  await Deno.rename(fresh, path);
  using folder = await Deno.open(dirname(path));
  await folder.sync();
}

async function copyDatabase(source: string, target: string): Promise<void> {
  const db = new DatabaseSync(source, { readOnly: true });
  try {
    // Without a transaction that sees one state, each commit of a server would restart the copy.
    db.exec("BEGIN");
    db.prepare("SELECT count(*) FROM sqlite_schema").get();
    await backup(db, target);
  } finally {
    db.close();
  }
}

/** A blob that an upload refers to. */
export interface UsedBlob {
  readonly workspace: string;
  readonly blob: string;
}

/** Returns the blobs that a database refers to. */
export function* usedBlobs(path: string): Generator<UsedBlob> {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    // A database of an early release has no files.
    const hasUploads = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'uploads'").get();
    if (hasUploads === undefined) return;
    const blobs = db.prepare(`
      SELECT DISTINCT workspace_id, blob FROM uploads WHERE status = 'uploaded' AND blob IS NOT NULL
    `);
    for (const { workspace_id, blob } of blobs.iterate()) {
      yield { workspace: String(workspace_id), blob: String(blob) };
    }
  } finally {
    db.close();
  }
}

/** Returns the name of the last migration of a database. */
export function lastMigration(path: string): string {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return String(db.prepare("SELECT max(name) AS name FROM migrations").get()?.name);
  } finally {
    db.close();
  }
}

/** Turns a copy into one file, and throws if it is no sound database of this service. */
export function checkDatabase(path: string, source: string): void {
  const db = new DatabaseSync(path);
  try {
    db.prepare("PRAGMA journal_mode = DELETE").get();
    const [first] = db.prepare("PRAGMA integrity_check").all();
    if (first?.integrity_check !== "ok") {
      throw new OperatorError(`${source} is damaged: ${first?.integrity_check}`);
    }
    if (planMigrations({ db }).length === MIGRATIONS.length) {
      throw new OperatorError(`${source} is no database of Recto`);
    }
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    throw new OperatorError(`${source} is damaged: ${error.message}`, { cause: error });
  } finally {
    db.close();
  }
}

/**
 * Throws `OperatorError` if another process has a database open, or if it has content and `replace`
 * is not set.
 */
export async function assertFree(path: string, replace: boolean): Promise<void> {
  const content = await exists(path) ? contentOf(path) : [];
  if (content.length === 0 || replace) return;
  throw new OperatorError(
    `${path} holds ${
      content.join(", ")
    }: keep a copy of it, then \`--replace\` puts the backup in ` +
      "its place",
  );
}

/** Describes the content of a file. Throws if another process has it open. */
function contentOf(path: string): readonly string[] {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path);
    // Changing the mode requires that no other process has the file open.
    db.prepare("PRAGMA journal_mode = DELETE").get();
    return filledTables(db).filter((name) => !OF_A_START.has(name));
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    if (error.errcode !== LOCKED) return [`what cannot be read (${error.message})`];
    throw new OperatorError(`Another process holds ${path}: stop the server first`);
  } finally {
    db?.close();
  }
}

function isSqliteError(error: unknown): error is Error & { readonly errcode?: number } {
  return error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR" &&
    // Deno's error for a path without permission has the same code.
    error.name === "Error";
}

/**
 * Returns the tables with rows of any database: it may be another release's, or another program's.
 */
function filledTables(db: DatabaseSync): string[] {
  // Not those of an index of words, which are never empty.
  const tables = db.prepare(`
    SELECT name FROM pragma_table_list
    WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name
  `);
  return tables.all().map(({ name }) => String(name))
    .filter((name) => db.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get() !== undefined);
}
