/**
 * One connection to a SQLite file: how it is set up, and how its faults are told.
 *
 * @module
 */
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AppError } from "../../errors.ts";

// Waiting blocks every other request, so a lock by another process is soon a 503 to try again.
const BUSY_TIMEOUT = 250;

const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA cell_size_check = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -65536;
`;

/** Opens a file, and makes it and its folder where they are missing; `:memory:` is a database of its own. */
export function openConnection(path: string): DatabaseSync {
  if (path !== ":memory:") Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT });
  connection.exec(PRAGMAS);
  return connection;
}

/** Runs work as one transaction: committed where it answers, undone where it throws. */
export function transaction<T>(connection: DatabaseSync, work: () => T): T {
  connection.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    connection.exec("COMMIT");
    return result;
  } catch (error) {
    rollback(connection);
    throw error;
  }
}

function rollback(connection: DatabaseSync): void {
  try {
    connection.exec("ROLLBACK");
  } catch {
    // After an I/O error SQLite has rolled back by itself, and there is nothing left to undo.
  }
}

const OUT_OF_REACH =
  /locked|busy|disk I\/O|disk is full|malformed|not a database|readonly|unable to open/i;

/** Runs work; what it throws because the database is out of reach becomes `service_unavailable`. */
export function reach<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    // node:sqlite tells faults apart by their text alone.
    if (!(error instanceof Error) || !OUT_OF_REACH.test(error.message)) throw error;
    throw new AppError("service_unavailable", "Database is out of reach: try again", {
      headers: { "retry-after": "1" },
      cause: error,
    });
  }
}

/** Whether a unique key stood in the way. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("UNIQUE constraint failed");
}
