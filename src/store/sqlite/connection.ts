/**
 * A connection to a SQLite file: its settings and its transactions.
 *
 * @module
 */
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { leavesDoubt } from "./failures.ts";

export interface Connection {
  readonly db: DatabaseSync;
  /**
   * Runs work as one transaction, which is rolled back if the work throws. Inside another transaction it
   * is a savepoint. Once the disk or the file has failed, every later call throws the same error.
   */
  transaction<T>(work: () => T): T;
  /** Runs reads that all see one state of the database. */
  reading<T>(work: () => T): T;
  close(): void;
}

// Waiting blocks every other request, so a lock by another process is soon a 503 to try again.
const BUSY_TIMEOUT = 250;

// No request waits while the file is opened, and another process may be migrating it.
const BUSY_TIMEOUT_AT_START = 10_000;

// Deleted text is overwritten where that costs no further write.
// The size limit gives back the disk that a burst of writes took for its log.
// Vacuum is incremental in a file that is new, so that it can give free pages back while it is used.
const PRAGMAS = `
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA cell_size_check = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA secure_delete = FAST;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -65536;
  PRAGMA journal_size_limit = 67108864;
`;

/** Opens a file, created with its folder if missing; `:memory:` is a new database in memory. */
export function openConnection(path: string): Connection {
  if (path !== ":memory:") makeFile(path);
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_AT_START });
  try {
    db.exec(PRAGMAS);
    return {
      db,
      transaction: createTransaction(db),
      reading: createReading(db),
      close: () => closeDatabase(db),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

// Each process has a cache of its own, and all of them share that of the system.
const READING_PRAGMAS = `
  PRAGMA cell_size_check = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -16384;
`;

/** Opens a file that exists, only to read it. */
export function openReadingConnection(path: string): Connection {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT, readOnly: true });
  try {
    db.exec(READING_PRAGMAS);
    return {
      db,
      transaction: createTransaction(db),
      reading: createReading(db),
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Creates the file for its owner only, as SQLite would not; the files next to it inherit the mode. */
function makeFile(path: string): void {
  Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
  } catch (error) {
    // An existing file is not opened: closing it would release locks that this process holds.
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

/** From now on, waits for a lock only as long as a server may block. */
export function startServing({ db }: Connection): void {
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
}

/** Leaves copying the log into the file to another connection: it may take longer than a request. */
export function leaveCheckpoints({ db }: Connection): void {
  db.exec("PRAGMA wal_autocheckpoint = 0");
}

function createTransaction(db: DatabaseSync): Connection["transaction"] {
  // Prepared, because what `exec` throws carries no code.
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const beginPart = db.prepare("SAVEPOINT part");
  const endPart = db.prepare("RELEASE part");
  let failure: { readonly cause: unknown } | undefined;
  return (work) => {
    if (failure !== undefined) throw failure.cause;
    const isPart = db.isTransaction;
    try {
      (isPart ? beginPart : begin).run();
      const result = work();
      (isPart ? endPart : commit).run();
      return result;
    } catch (error) {
      const isUndone = isPart ? rollBackPart(db) : rollBack(db);
      // SQLite would write on after a failed fsync, over pages that never reached the disk.
      if (!isUndone || leavesDoubt(error)) failure = { cause: error };
      throw error;
    }
  };
}

function createReading(db: DatabaseSync): Connection["reading"] {
  const begin = db.prepare("BEGIN");
  const end = db.prepare("COMMIT");
  return (work) => {
    begin.run();
    try {
      return work();
    } finally {
      // Some failures end the transaction by themselves.
      if (db.isTransaction) end.run();
    }
  };
}

/** Rolls back an open transaction; false if that is impossible. */
function rollBack(db: DatabaseSync): boolean {
  return undo(db, "ROLLBACK");
}

/** Rolls back a part of an open transaction; false if that is impossible. */
function rollBackPart(db: DatabaseSync): boolean {
  return undo(db, "ROLLBACK TO part; RELEASE part");
}

function undo(db: DatabaseSync, sql: string): boolean {
  // After an I/O error SQLite has rolled back by itself, and ROLLBACK would throw.
  if (!db.isTransaction) return true;
  try {
    db.exec(sql);
    return true;
  } catch {
    return false;
  }
}

function closeDatabase(db: DatabaseSync): void {
  try {
    // Leaves one complete file, even if another process keeps the log open.
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
}
