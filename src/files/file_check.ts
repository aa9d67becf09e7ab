/**
 * Comparing stored files with what the database says about them, a slice at a time.
 *
 * @module
 */
import { type DamagedFile, MISSING, OTHER_HASH, otherSize } from "../shared/damaged_file.ts";
import type { FileKey, FileRecord, UploadReader } from "../store/port.ts";

/** Stored bytes, as their storage describes them. */
export interface BlobMeasure {
  readonly size: number;
  /** SHA-256 in hexadecimal; undefined if the bytes were not read. */
  readonly hash?: string | undefined;
}

/** The result of checking a slice of files. */
export interface FileCheck {
  readonly checked: number;
  readonly damaged: readonly DamagedFile[];
  /** The key after which to continue; undefined if there are no more. */
  readonly next: FileKey | undefined;
}

export interface FileCheckOptions {
  readonly read: UploadReader["fileRecords"];
  /** Measures stored bytes; undefined if there are none. */
  readonly measure: (file: FileRecord) => Promise<BlobMeasure | undefined>;
}

/** Checks the next files, behind `after` or from the first. */
export async function checkFiles(
  { read, measure }: FileCheckOptions,
  after: FileKey | undefined,
  limit: number,
): Promise<FileCheck> {
  const files = await read(after, limit);
  const damaged: DamagedFile[] = [];
  for (const [index, file] of files.entries()) {
    const issue = await measure(file).then((found) => issueOf(file, found), describeFailure);
    if (issue === undefined) continue;
    // Uploads expire while a server runs: their records are deleted first, then their bytes.
    const [stored] = await read(files[index - 1] ?? after, 1);
    if (stored?.id === file.id) damaged.push({ workspace: file.workspace, id: file.id, issue });
  }
  return {
    checked: files.length,
    damaged,
    next: files.length < limit ? undefined : files.at(-1),
  };
}

/** Returns how stored bytes differ from those that were sent; undefined if they do not. */
function issueOf(
  { contentLength, hash }: Pick<FileRecord, "contentLength" | "hash">,
  found: BlobMeasure | undefined,
): string | undefined {
  if (found === undefined) return MISSING;
  if (contentLength !== null && found.size !== contentLength) {
    return otherSize(found.size, contentLength);
  }
  const isOther = hash !== null && found.hash !== undefined && found.hash !== hash;
  return isOther ? OTHER_HASH : undefined;
}

/** Describes a disk that fails; any other error says nothing about the file. */
function describeFailure(error: unknown): string {
  if (error instanceof Error && "code" in error && error.code === "EIO") return "cannot be read";
  throw error;
}
