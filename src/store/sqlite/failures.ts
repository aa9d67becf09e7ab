/**
 * Maps SQLite's errors to those of the service.
 *
 * @module
 */
import { storageError, type StorageIssue } from "../storage_error.ts";

interface Failure {
  /** SQLite's result code: a primary one stands for all of its kind. */
  readonly code: number;
  /** Its text: what `DatabaseSync.exec` throws carries no code. */
  readonly text: string;
  readonly issue: StorageIssue;
  /** True if the file may have lost what was written to it. */
  readonly leavesDoubt?: true;
}

const FAILURES: readonly Failure[] = [
  { code: 5, text: "database is locked", issue: "service_unavailable" },
  { code: 6, text: "database table is locked", issue: "service_unavailable" },
  { code: 8, text: "attempt to write a readonly database", issue: "storage_read_only" },
  // The index of the log could not grow, which on a full disk comes before anything else fails.
  { code: 4874, text: "disk I/O error (SHMSIZE)", issue: "storage_full" },
  { code: 10, text: "disk I/O error", issue: "data_corrupted", leavesDoubt: true },
  {
    code: 11,
    text: "database disk image is malformed",
    issue: "data_corrupted",
    leavesDoubt: true,
  },
  { code: 13, text: "database or disk is full", issue: "storage_full" },
  { code: 14, text: "unable to open database file", issue: "service_unavailable" },
  { code: 26, text: "file is not a database", issue: "data_corrupted", leavesDoubt: true },
];

/** Runs work and maps errors of the storage to errors of the service. */
export function mapDatabaseErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const failure = failureOf(error);
    throw failure === undefined ? error : storageError(failure.issue, error);
  }
}

/** Returns whether nothing more may be written after this error: the disk or the file failed. */
export function leavesDoubt(error: unknown): boolean {
  return failureOf(error)?.leavesDoubt ?? false;
}

/** Returns whether a unique key was violated. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("UNIQUE constraint failed");
}

function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "errcode" in error && typeof error.errcode === "number" ? error.errcode : undefined;
  return findFailure(code, error.message);
}

function findFailure(code: number | undefined, message: string): Failure | undefined {
  if (code === undefined) return FAILURES.find(({ text }) => message.includes(text));
  return FAILURES.find((one) => one.code === code) ??
    // The low byte is the primary code, the others extend it.
    FAILURES.find((one) => one.code === (code & 0xff));
}
