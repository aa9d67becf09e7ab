/**
 * How clients are told that the database cannot do its work.
 *
 * @module
 */
import { AppError, type ErrorCode } from "../shared/errors.ts";

/** Error codes of failing storage. */
export type StorageIssue = Extract<
  ErrorCode,
  "service_unavailable" | "storage_full" | "storage_read_only" | "data_corrupted"
>;

interface ErrorReply {
  readonly detail: string;
  /** Seconds after which to try again; undefined if that is of no use. */
  readonly retryAfter?: number;
}

const ERRORS: Readonly<Record<StorageIssue, ErrorReply>> = {
  service_unavailable: { detail: "Database is out of reach: try again", retryAfter: 1 },
  storage_full: {
    detail: "Storage is full: nothing can be written until the operator makes room",
    retryAfter: 30,
  },
  storage_read_only: { detail: "Storage is read-only: nothing can be written now", retryAfter: 5 },
  data_corrupted: { detail: "Storage is damaged: tell the operator" },
};

/** Returns the error for work that storage failed; its cause goes only to the log. */
export function storageError(issue: StorageIssue, cause: unknown): AppError {
  const { detail, retryAfter } = ERRORS[issue];
  return new AppError(issue, detail, {
    ...(retryAfter !== undefined && { headers: { "retry-after": String(retryAfter) } }),
    cause,
  });
}
