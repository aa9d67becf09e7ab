/**
 * Writing a SQLite file anew, without free space.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { OperatorError } from "../operator_error.ts";

/**
 * Rewrites the file, overwrites what deleted rows left in it, and lets it give free pages back from now
 * on. Throws `OperatorError` if another process has the file open, because nobody could write meanwhile.
 */
export function vacuum(path: string): void {
  const db = new DatabaseSync(path);
  try {
    // Changing the mode requires that no other process has the file open.
    takeAlone(db, path);
    db.exec("PRAGMA auto_vacuum = INCREMENTAL");
    db.exec("PRAGMA secure_delete = ON");
    db.exec("INSERT INTO search_words (search_words) VALUES ('optimize')");
    db.exec("VACUUM");
    db.prepare("PRAGMA journal_mode = WAL").get();
  } finally {
    db.close();
  }
}

/** SQLite's code of a locked file. */
const LOCKED = 5;

function takeAlone(db: DatabaseSync, path: string): void {
  try {
    db.prepare("PRAGMA journal_mode = DELETE").get();
  } catch (error) {
    if (!(error instanceof Error && "errcode" in error && error.errcode === LOCKED)) throw error;
    throw new OperatorError(
      `Another process has ${path} open: stop the server, run \`recto vacuum\`, and start it again`,
    );
  }
}
