/**
 * SQLite's own check of a file.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";

/** Maximum number of reported findings; a damaged file has thousands. */
const MAX_FINDINGS = 20;

/** SQLite's checks; `integrity_check` compares each index with its table, too, and takes longer. */
export type IntegrityCheck = "quick_check" | "integrity_check";

/**
 * Checks the structure of a file, table by table, so that no long read keeps the log from being
 * emptied while a server writes. Returns what is wrong, a sentence each.
 */
export function checkIntegrity(path: string, check: IntegrityCheck): readonly string[] {
  const findings: string[] = [];
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      for (const table of tablesOf(db)) findings.push(...checkTable(db, table, check));
    } finally {
      db.close();
    }
  } catch (error) {
    // A file that cannot be read is a finding; a locked file is not.
    if (!isDamage(error)) throw error;
    findings.push(error.message);
  }
  return findings.slice(0, MAX_FINDINGS);
}

function tablesOf(db: DatabaseSync): string[] {
  return db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").all()
    .map(({ name }) => String(name));
}

function checkTable(db: DatabaseSync, table: string, check: IntegrityCheck): string[] {
  return db.prepare(`PRAGMA ${check}("${table}")`).all()
    .map((row) => String(row[check])).filter((finding) => finding !== "ok")
    .map((finding) => `${table}: ${finding}`);
}

/** SQLite's primary codes of I/O errors, damaged files, and files that are no database. */
const DAMAGE = new Set([10, 11, 26]);

/** Returns whether an error says that a file is damaged or cannot be read. */
export function isDamage(error: unknown): error is Error {
  return error instanceof Error && "errcode" in error && DAMAGE.has(Number(error.errcode) & 0xff);
}
