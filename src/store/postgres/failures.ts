/**
 * Maps errors of PostgreSQL and of the network to those of the service.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";
import { storageError, type StorageIssue } from "../storage_error.ts";
import { ConnectionCut } from "./connection_cut.ts";

/** Codes of the driver and the system for an unreachable server or a lost connection. */
const LOST = new Set([
  ...["CONNECTION_CLOSED", "CONNECTION_DESTROYED", "CONNECTION_ENDED", "CONNECT_TIMEOUT"],
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH"],
  ...["ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"],
]);

/** SQLSTATEs, or prefixes of them, with which a server ends the connection. */
const ENDING = ["08", "57P01", "57P02", "57P03", "25P03"];

/** SQLSTATEs of a transaction that the server rolled back because of a conflict. */
const CONTENDED = ["40001", "40P01"];

/** Prefixes of SQLSTATEs, longer ones first, and the issues that they mean. */
const UNABLE: readonly (readonly [beginning: string, issue: StorageIssue])[] = [
  ["53100", "storage_full"],
  ["25006", "storage_read_only"],
  ...["XX001", "XX002", "58030"].map((code) => [code, "data_corrupted"] as const),
  ...["53", "58"].map((code) => [code, "service_unavailable"] as const),
];

/** SQLSTATEs of a statement that was canceled because of its time limit. */
const LATE = ["55P03", "57014"];

/** Returns whether the connection is lost, so that the outcome of the last statement is unknown. */
export function isLost(error: unknown): boolean {
  return error instanceof ConnectionCut || LOST.has(codeOf(error)) || isOf(error, ENDING);
}

/** Returns whether an immediate retry is likely to succeed. */
export function isPassing(error: unknown): boolean {
  return isLost(error) || isOf(error, CONTENDED);
}

/** Returns whether a unique key was violated. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === "23505";
}

/** Returns whether the server refused to write at all. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === "25006";
}

/** Returns whether waiting for a lock timed out. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === "55P03";
}

/** Returns whether the server itself reported the error. */
export function isServerError(error: unknown): boolean {
  return /^[0-9A-Z]{5}$/.test(codeOf(error)) && !codeOf(error).startsWith("E");
}

/** Runs work and maps errors of the storage to errors of the service. */
export async function mapDatabaseErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isOf(error, LATE)) throw late(error);
    const issue = isPassing(error) ? "service_unavailable" : issueOf(error);
    throw issue === undefined ? error : storageError(issue, error);
  }
}

/** The error of work that waited too long, or would have to. */
export function late(cause?: unknown): AppError {
  return new AppError("service_unavailable", "Database took too long to answer: try again", {
    headers: { "retry-after": "1" },
    ...(cause !== undefined && { cause }),
  });
}

/** The error of work whose connection was lost before the server confirmed the commit. */
export class UnknownOutcome extends AppError {
  constructor(cause: unknown) {
    const detail = "Database went out of reach while it committed: the change may have happened. " +
      "Try again with the same Idempotency-Key";
    super("service_unavailable", detail, { headers: { "retry-after": "1" }, cause });
  }
}

function issueOf(error: unknown): StorageIssue | undefined {
  return UNABLE.find(([beginning]) => codeOf(error).startsWith(beginning))?.[1];
}

function isOf(error: unknown, beginnings: readonly string[]): boolean {
  const code = codeOf(error);
  return beginnings.some((beginning) => code.startsWith(beginning));
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return String(error.code);
}
