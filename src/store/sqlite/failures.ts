/**
 * What SQLite's own failures mean to the service.
 *
 * @module
 */
import { AppError } from "../../errors.ts";

interface Failure {
  /** SQLite's primary result code. */
  readonly code: number;
  /** Its text: `DatabaseSync.exec` throws errors that carry no code. */
  readonly text: string;
  /** Whether what the file holds can no longer be trusted to be what was written. */
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

/** Whether nothing more may be written after this error: the disk or the file failed. */
export function leavesDoubt(error: unknown): boolean {
  return failureOf(error)?.leavesDoubt ?? false;
}

/** The error as a caller of the store sees it: `service_unavailable` where the database failed. */
export function asRefusal(error: unknown): unknown {
  const failure = failureOf(error);
  if (failure === undefined) return error;
  return new AppError("service_unavailable", "The database cannot serve this request now", {
    cause: error,
  });
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
