/**
 * Files whose stored bytes are not those that were sent.
 *
 * @module
 */
import { AppError } from "./errors.ts";

/** A damaged file. */
export interface DamagedFile {
  readonly workspace: string;
  /** ID of the upload. */
  readonly id: string;
  /** The end of a sentence about the file. */
  readonly issue: string;
}

export const MISSING = "is missing";
export const OTHER_HASH = "does not match its SHA-256";

/** The issue of a file whose stored size is another. */
export function otherSize(found: number, expected: number): string {
  return `has ${found} bytes in place of ${expected}`;
}

/** Says which file is damaged and how, for the log and `/readyz`. */
export class DamagedFileError extends Error implements DamagedFile {
  override name = "DamagedFileError";

  constructor(readonly workspace: string, readonly id: string, readonly issue: string) {
    super(`The file of upload ${id} in workspace ${workspace} ${issue}`);
  }
}

/** Returns the error of a request that needs a damaged file. */
export function damagedFile(cause: DamagedFileError): AppError {
  return new AppError("data_corrupted", `Stored file ${cause.id} is damaged: tell the operator`, {
    cause,
  });
}
