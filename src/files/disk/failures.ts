/**
 * What failures of the disk mean to the service.
 *
 * @module
 */
import { AppError } from "../../errors.ts";

/** Of the system: the disk is full, a quota is, or the disk was made read-only. */
const UNABLE = new Set(["ENOSPC", "EDQUOT", "EROFS"]);

/** Runs work; what it rejects with because the disk takes nothing becomes `service_unavailable`. */
export async function reach<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUnable(error)) throw error;
    throw new AppError("service_unavailable", "Files cannot be written now: try again", {
      headers: { "retry-after": "1" },
      cause: error,
    });
  }
}

function isUnable(error: unknown): boolean {
  return error instanceof Error && "code" in error && UNABLE.has(String(error.code));
}
