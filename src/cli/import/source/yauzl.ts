/**
 * The ZIP library, with the types of what is used of it: the package has none, and those of others
 * bring types of Node that differ from Deno's.
 *
 * @module
 */
import type { Buffer } from "node:buffer";
import type { Readable } from "node:stream";
import * as yauzl from "yauzl";

/** An entry of an archive's directory. */
export interface Entry {
  readonly fileNameRaw: Buffer;
  readonly extraFields: readonly unknown[];
  readonly compressedSize: number;
  readonly uncompressedSize: number;
  readonly crc32: number;
  readonly versionMadeBy: number;
  readonly externalFileAttributes: number;
  isEncrypted(): boolean;
  canDecodeFileData(): boolean;
}

/** An open archive. */
export interface ZipFile {
  eachEntry(): AsyncIterableIterator<Entry>;
  /** Ends with an error if the entry has another size than its directory says. */
  openReadStreamPromise(entry: Entry): Promise<Readable>;
  close(): void;
}

// Names are decoded elsewhere, because many programs write UTF-8 unannounced.
const OPTIONS = { lazyEntries: true, autoClose: false, decodeStrings: false };

/** Opens an archive. Rejects if its directory is missing or damaged. */
export async function openZipFile(file: string): Promise<ZipFile> {
  return await yauzl.openPromise(file, OPTIONS);
}

/** The name of an entry in the code page of the ZIP specification. */
export function legacyName({ fileNameRaw, extraFields }: Entry): string {
  return yauzl.getFileNameLowLevel(0, fileNameRaw, extraFields, false);
}
