/**
 * How clients are told that the database cannot do its work.
 *
 * @module
 */
import { AppError, type ErrorCode } from "../shared/errors.ts";

/** What may be wrong with storage; a client switches on it. */
export type StorageIssue = Extract<
  ErrorCode,
  "service_unavailable" | "storage_full" | "storage_read_only" | "data_corrupted"
>;

interface ErrorText {
  readonly detail: string;
  /** Seconds after which to try again; undefined if that is of no use. */
  readonly retryAfter?: number;
}

const TOLD: Readonly<Record<StorageIssue, ErrorText>> = {
  service_unavailable: { detail: "Database is out of reach: try again", retryAfter: 1 },
  storage_full: {
    detail: "Storage is full: nothing can be written until the operator makes room",
    retryAfter: 30,
  },
  storage_read_only: { detail: "Storage is read-only: nothing can be written now", retryAfter: 5 },
  data_corrupted: { detail: "Storage is damaged: tell the operator" },
};

/** The refusal of work that storage failed; the cause goes to the log alone. */
export function storageError(issue: StorageIssue, cause: unknown): AppError {
  const { detail, retryAfter } = TOLD[issue];
  return new AppError(issue, detail, {
    ...(retryAfter !== undefined && { headers: { "retry-after": String(retryAfter) } }),
    cause,
  });
}
