/**
 * A PostgreSQL database, for the service and for commands.
 *
 * @module
 */
import type { Database } from "../database.ts";
import { checkAll, type Findings } from "../document_check.ts";
import { assertCurrent } from "../migrate.ts";
import type { Store } from "../port.ts";
import { openPostgresArchive } from "./archive.ts";
import { type Connection, type ConnectionOptions, openConnection } from "./connection.ts";
import { readDocuments } from "./documents.ts";
import { migrate, MIGRATIONS, planMigrations } from "./migrations.ts";
import { checkReferences } from "../reference_check.ts";
import { read, READS, SOURCE } from "./reader.ts";
import { scrub, vacuum } from "./scrub.ts";
import { createPostgresStore, openPostgresStore } from "./store.ts";

/** The database at this URL. Nothing connects before the first call. */
export function createPostgresDatabase(options: ConnectionOptions): Database {
  return {
    openStore: ({ mostScanned, ...others }) =>
      openPostgresStore({ ...options, ...others, vectorIndex: { mostScanned } }),
    openCommandStore: () => openCommandStore(options),
    openArchive: (role) => openPostgresArchive(options.url, role),
    planMigrations: () => onServer(options, planMigrations),
    migrate: () => onServer(options, (connection) => migrate(connection)),
    verify: (findings, checkFiles) =>
      onServer(options, (connection) => verify(connection, findings, checkFiles)),
    scrub: () => onServer({ ...options, isPatient: true }, scrub),
    vacuum: () => onServer({ ...options, isPatient: true }, vacuum),
    structureCheck: undefined,
  };
}

async function openCommandStore(options: ConnectionOptions): Promise<Store> {
  const connection = openConnection(options);
  try {
    assertCurrent(await planMigrations(connection), MIGRATIONS);
    await migrate(connection);
    return createPostgresStore(connection);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function onServer<T>(
  options: ConnectionOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = openConnection(options);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

async function verify(
  connection: Connection,
  findings: Findings,
  checkFiles: Parameters<Database["verify"]>[1],
): Promise<boolean> {
  if ((await planMigrations(connection)).length > 0) return false;
  const { session } = connection;
  await checkAll((after, limit) => read(session, readDocuments(after, limit)), findings);
  await checkReferences({ source: SOURCE, run: (plan) => read(session, plan) }, findings);
  await checkFiles((after, limit) => read(session, READS.fileRecords(after, limit)));
  return true;
}
