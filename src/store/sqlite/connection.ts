/**
 * A connection to a SQLite file: its settings and its transactions.
 *
 * @module
 */
import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { leavesDoubt } from "./failures.ts";
import { defineFunctions } from "./functions.ts";
import { LazyDatabase } from "./lazy_database.ts";

export interface Connection {
  readonly db: DatabaseSync;
  /**
   * Runs work as one transaction, which is rolled back if the work throws. Inside another transaction it
   * is a savepoint. Once the disk or the file has failed, every later call throws the same error.
   *
   * `check` runs first, and throws before it has written anything. With it there is no savepoint: if
   * the work throws nevertheless, all of the transaction is rolled back.
   */
  transaction<T>(work: () => T, check?: () => void): T;
  /**
   * Begins a transaction that stays open until it is committed. Transactions and reads meanwhile are
   * parts of it. `commit` is called if another connection of this thread begins one.
   */
  begin(commit: () => void): OpenTransaction;
  /** Adds work to the end of every transaction that is not a part of another. */
  defer(deferred: Deferred): void;
  /** Runs reads that all see one state of the database. */
  reading<T>(work: () => T): T;
  close(): void;
}

/** A transaction that several writes share. */
export interface OpenTransaction {
  /** False once a failure has ended it: then nothing of it is left. */
  isOpen(): boolean;
  /** Writes everything to the disk; throws, and leaves nothing of it, if that fails. */
  commit(): void;
}

/** Work that is done once at the end of a transaction, whatever the number of its parts. */
export interface Deferred {
  beforeCommit(): void;
  /** Called if the transaction is undone. */
  discard(): void;
}

// Waiting blocks every other request, so a lock by another process is soon a 503 to try again.
const BUSY_TIMEOUT = 250;

// No request waits while the file is opened, and another process may be migrating it.
const BUSY_TIMEOUT_AT_START = 10_000;

/** Bytes of the log that are kept. What a burst of writes took beyond them is given back. */
export const LOG_SIZE = 64 * 2 ** 20;
/** Bytes that are given back at once: the system takes 0.2 s for a gigabyte. */
const CUT = LOG_SIZE;

// Deleted text is overwritten where that costs no further write.
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
  PRAGMA journal_size_limit = ${LOG_SIZE};
`;

/** Opens a file, created with its folder if missing; `:memory:` is a new database in memory. */
export function openConnection(path: string): Connection {
  if (path !== ":memory:") makeFile(path);
  const db = new LazyDatabase(path, { timeout: BUSY_TIMEOUT_AT_START });
  try {
    db.exec(PRAGMAS);
    defineFunctions(db);
    return {
      db,
      ...createTransactions(db),
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
  const db = new LazyDatabase(path, { timeout: BUSY_TIMEOUT, readOnly: true });
  try {
    db.exec(READING_PRAGMAS);
    defineFunctions(db);
    return {
      db,
      ...createTransactions(db),
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

/** No longer copies and cuts the log with a write: that may take longer than a request. */
export function leaveLog({ db }: Connection): void {
  db.exec("PRAGMA wal_autocheckpoint = 0");
  db.exec("PRAGMA journal_size_limit = -1");
}

/**
 * Copies the log into the file, beside reads and writes. Returns the pages that are left: those that were
 * written meanwhile, and those behind what the oldest reader sees.
 */
export function copyLog({ db }: Connection): number {
  const { log = 0, checkpointed = 0 } = db.prepare("PRAGMA wal_checkpoint(PASSIVE)").get() ?? {};
  return Number(log) - Number(checkpointed);
}

/**
 * Copies the rest of the log into the file at `path`, while no write is under way, so that the next one
 * begins the log anew. If it is large and nobody reads it, cuts a part, and returns whether it is still
 * large.
 */
export function cutLog(connection: Connection, path: string): boolean {
  const { db } = connection;
  copyLog(connection);
  const size = logSize(path);
  if (size <= LOG_SIZE) return false;
  const kept = Math.max(LOG_SIZE, size - CUT);
  db.exec(`PRAGMA journal_size_limit = ${kept}`);
  try {
    // SQLite cuts the log when something is written that begins it anew. This changes nothing.
    db.exec(`PRAGMA user_version = ${db.prepare("PRAGMA user_version").get()?.user_version}`);
  } finally {
    leaveLog(connection);
  }
  return kept > LOG_SIZE && logSize(path) <= kept;
}

/** Bytes of the log next to the file at `path`. */
export function logSize(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Commits what is open in this thread. Another connection to the same file would hold the thread while
 * it waits for the lock, so that nothing could let go of it.
 */
const openCommits = new Set<() => void>();

function createTransactions(
  db: DatabaseSync,
): Pick<Connection, "transaction" | "begin" | "defer"> {
  // Prepared, because what `exec` throws carries no code.
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const beginPart = db.prepare("SAVEPOINT part");
  const endPart = db.prepare("RELEASE part");
  const deferred: Deferred[] = [];
  let failure: { readonly cause: unknown } | undefined;
  const attempt = <T>(work: () => T, undo: () => boolean): T => {
    if (failure !== undefined) throw failure.cause;
    try {
      return work();
    } catch (error) {
      const isUndone = undo();
      // SQLite would write on after a failed fsync, over pages that never reached the disk.
      if (!isUndone || leavesDoubt(error)) failure = { cause: error };
      if (!db.isTransaction) { for (const { discard } of deferred) discard(); }
      throw error;
    }
  };
  const enter = (): void => {
    for (const commitOpen of openCommits) commitOpen();
    begin.run();
  };
  const end = (): void => {
    for (const { beforeCommit } of deferred) beforeCommit();
    commit.run();
  };
  const whole = <T>(work: () => T): T =>
    attempt(() => {
      enter();
      const result = work();
      end();
      return result;
    }, () => rollBack(db));
  const part = <T>(work: () => T): T =>
    attempt(() => {
      beginPart.run();
      const result = work();
      endPart.run();
      return result;
    }, () => rollBackPart(db));
  const checkedPart = <T>(work: () => T, check: () => void): T => {
    attempt(check, () => true);
    return attempt(work, () => rollBack(db));
  };
  return {
    transaction(work, check) {
      if (!db.isTransaction) {
        return whole(() => {
          check?.();
          return work();
        });
      }
      return check === undefined ? part(work) : checkedPart(work, check);
    },
    begin(commitOpen) {
      attempt(enter, () => true);
      openCommits.add(commitOpen);
      return {
        isOpen: () => db.isTransaction,
        commit() {
          openCommits.delete(commitOpen);
          attempt(end, () => rollBack(db));
        },
      };
    },
    defer: (one) => void deferred.push(one),
  };
}

function createReading(db: DatabaseSync): Connection["reading"] {
  const begin = db.prepare("BEGIN");
  const end = db.prepare("COMMIT");
  return (work) => {
    if (db.isTransaction) return work();
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
