/**
 * Maps disk errors to errors of the service.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";

interface DiskError {
  readonly code: "storage_full" | "storage_read_only";
  readonly detail: string;
  /** Seconds after which to try again. */
  readonly retryAfter: number;
}

const FULL: DiskError = {
  code: "storage_full",
  detail: "File storage is full: no file can be written until the operator frees space",
  retryAfter: 30,
};
const READ_ONLY: DiskError = {
  code: "storage_read_only",
  detail: "File storage is read-only: no file can be written",
  retryAfter: 5,
};

/** By system error code. */
const DISK_ERRORS: ReadonlyMap<unknown, DiskError> = new Map([
  ["ENOSPC", FULL],
  ["EDQUOT", FULL],
  ["EROFS", READ_ONLY],
  ["EACCES", READ_ONLY],
]);

/** Runs work; maps errors of a full or read-only disk to `storage_full` and `storage_read_only`. */
export async function mapDiskErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const failure = error instanceof Error && "code" in error && DISK_ERRORS.get(error.code);
    if (!failure) throw error;
    const headers = { "retry-after": String(failure.retryAfter) };
    throw new AppError(failure.code, failure.detail, { headers, cause: error });
  }
}
