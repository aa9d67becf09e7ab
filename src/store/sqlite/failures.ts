/**
 * What SQLite's own failures mean to the service.
 *
 * @module
 */
import { AppError } from "../../errors.ts";

interface Failure {
  /** SQLite's primary result code. */
  readonly code: number;
  /** Its text: what `DatabaseSync.exec` throws carries no code. */
  readonly text: string;
  /** Whether the file may no longer hold what was written to it. */
  readonly leavesDoubt: boolean;
}

const FAILURES: readonly Failure[] = [
  { code: 5, text: "database is locked", leavesDoubt: false },
  { code: 6, text: "database table is locked", leavesDoubt: false },
  { code: 8, text: "attempt to write a readonly database", leavesDoubt: false },
  { code: 10, text: "disk I/O error", leavesDoubt: true },
  { code: 11, text: "database disk image is malformed", leavesDoubt: true },
  { code: 13, text: "database or disk is full", leavesDoubt: false },
  { code: 14, text: "unable to open database file", leavesDoubt: false },
  { code: 26, text: "file is not a database", leavesDoubt: true },
];

/** Runs work; what it throws because the database is out of reach becomes `service_unavailable`. */
export function reach<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (failureOf(error) === undefined) throw error;
    throw new AppError("service_unavailable", "Database is out of reach: try again", {
      headers: { "retry-after": "1" },
      cause: error,
    });
  }
}

/** Whether nothing more may be written after this error: the disk or the file failed. */
export function leavesDoubt(error: unknown): boolean {
  return failureOf(error)?.leavesDoubt ?? false;
}

/** Whether a unique key stood in the way. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("UNIQUE constraint failed");
}

function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (!("errcode" in error) || typeof error.errcode !== "number") {
    return FAILURES.find(({ text }) => error.message.includes(text));
  }
  // The low byte is the primary code, the rest says which kind of it.
  const primary = error.errcode & 0xff;
  return FAILURES.find(({ code }) => code === primary);
}
