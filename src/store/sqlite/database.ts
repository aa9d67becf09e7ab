/**
 * A SQLite file, for the service and for commands.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import type { Database } from "../database.ts";
import { checkAll, type Findings } from "../document_check.ts";
import { assertCurrent } from "../migrate.ts";
import type { Store } from "../port.ts";
import { createDocumentRead } from "../reads/documents.ts";
import { createUploadReads } from "../reads/uploads.ts";
import { checkReferences } from "../reference_check.ts";
import { openSqliteArchive } from "./archive.ts";
import { type Connection, openConnection } from "./connection.ts";
import { exists } from "./file.ts";
import { checkIntegrity, isDamage } from "./integrity.ts";
import { migrate, MIGRATIONS, planMigrations } from "./migrations.ts";
import { createReader } from "./reader.ts";
import { scrub } from "./scrub.ts";
import { finishCommits } from "./sliced_commits.ts";
import { createSqliteStore, openSqliteReader, openSqliteStore } from "./store.ts";
import { vacuum } from "./vacuum.ts";

/** The database in this file. Nothing is opened before the first call. */
export function createSqliteDatabase({ path }: { readonly path: string }): Database {
  return {
    openStore: async (options) => await openSqliteStore(path, options),
    openReader: async (write, options) => await openSqliteReader(path, write, options),
    openCommandStore: async () => await openCommandStore(path),
    openArchive: (role) => openSqliteArchive(path, role),
    // Opening a missing file would create it.
    planMigrations: async () => await exists(path) ? onFile(path, planMigrations) : MIGRATIONS,
    migrate: async () => await onFile(path, (connection) => migrate(connection)),
    verify: (findings, checkFiles) => verify(path, findings, checkFiles),
    scrub: () => scrub(path),
    vacuum: async () => await vacuum(path),
    structureCheck: { module: import.meta.resolve("./integrity_worker.ts"), path },
  };
}

function openCommandStore(path: string): Store {
  const connection = openConnection(path);
  try {
    assertCurrent(planMigrations(connection), MIGRATIONS);
    migrate(connection);
    // A server that makes slices of them meanwhile notices. Even if one fails, its workspace can be deleted.
    finishCommits(connection);
    // A server may be at the file: it copies the log into it by itself.
    const close = () => Promise.resolve(connection.db.close());
    return { ...createSqliteStore(connection), close };
  } catch (error) {
    connection.close();
    throw error;
  }
}

function onFile<T>(path: string, work: (connection: Connection) => T): T {
  const connection = openConnection(path);
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

async function verify(
  path: string,
  findings: Findings,
  checkFiles: Parameters<Database["verify"]>[1],
): Promise<boolean> {
  findings.damage.push(...checkIntegrity(path, "integrity_check"));
  using db = new DatabaseSync(path, { readOnly: true });
  try {
    if (planMigrations({ db }).length > 0) return false;
    const { source, run } = createReader(db);
    const read = createDocumentRead(source);
    await checkAll((after, limit) => Promise.resolve(run(read(after, limit))), findings);
    await checkReferences({ source, run: (plan) => Promise.resolve(run(plan)) }, findings);
    const { fileRecords } = createUploadReads(source);
    await checkFiles((after, limit) => Promise.resolve(run(fileRecords(after, limit))));
  } catch (error) {
    if (!isDamage(error)) throw error;
    findings.damage.push(`The database cannot be read: ${error.message}`);
  }
  return true;
}
