/**
 * What failures of the disk mean to the service.
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
  detail: "Storage of files is full: no file can be written until the operator makes room",
  retryAfter: 30,
};
const READ_ONLY: DiskError = {
  code: "storage_read_only",
  detail: "Storage of files is read-only: no file can be written now",
  retryAfter: 5,
};

/** By the system's codes: the disk is full, a quota is, or the disk was made read-only. */
const DISK_ERRORS: ReadonlyMap<unknown, DiskError> = new Map([
  ["ENOSPC", FULL],
  ["EDQUOT", FULL],
  ["EROFS", READ_ONLY],
]);

/** Runs work; what it rejects with because the disk takes nothing becomes an error that says so. */
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
