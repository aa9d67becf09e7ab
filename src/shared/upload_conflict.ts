/**
 * The error of a request that is too late to send bytes of a file.
 *
 * @module
 */
import { AppError } from "./errors.ts";

/** Returns the error for bytes whose upload was completed by another request, or has expired. */
export function uploadConflict(cause?: unknown): AppError {
  const detail = "The file was already uploaded, or the upload has expired";
  return new AppError("conflict_error", detail, { cause });
}
