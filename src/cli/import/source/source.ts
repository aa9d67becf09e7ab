/**
 * The source of an import: files in a folder or in ZIP archives, named by paths inside it.
 *
 * @module
 */

/** One file of a source. Paths use `/`, are relative, and contain no `.` or `..`. */
export interface SourceFile {
  readonly path: string;
  /** Bytes, uncompressed. */
  readonly size: number;
}

/** A file that is left out, and why. */
export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}

/** The files of a source. */
export interface Source {
  /** Name of the folder or archive, without its ending. */
  readonly name: string;
  /** All files by path, sorted. */
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly skipped: readonly SkippedFile[];
  /** True if it has the settings of an Obsidian vault, which are hidden files. */
  readonly isVault: boolean;
  /** Changes if the list of files, their sizes or their times change. */
  readonly fingerprint: string;
  /** Opens a file; the stream ends with an error if the file is damaged. */
  stream(path: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** Reads a whole file; `readBytes()` checks its size before. */
  bytes(path: string): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;
  /** Releases the archives. */
  close(): Promise<void>;
}

/** The source cannot be read; the message says why and what to do. */
export class SourceError extends Error {
  override readonly name = "SourceError";
}

/** Largest text or table that is read as a whole, in bytes. */
export const TEXT_BYTES = 64 * 1024 ** 2;

/** Reads a whole file. Throws `SourceError` if it has more than `limit` bytes. */
export async function readBytes(
  source: Source,
  path: string,
  limit = TEXT_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = source.files.get(path) ?? { size: 0 };
  if (size > limit) throw new SourceError(`${path} has ${size} bytes, more than ${limit}`);
  return await source.bytes(path);
}
