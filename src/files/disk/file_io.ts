/**
 * Writes, syncs and deletes files.
 *
 * @module
 */
import { createHash } from "node:crypto";

export interface WrittenFile {
  readonly size: number;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
}

/** Writes and syncs a new file; deletes it on failure. Rejects if it exists, and leaves it. */
export async function writeFile(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<WrittenFile> {
  using file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  try {
    const hash = createHash("sha256");
    let size = 0;
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
      await writeAll(file, chunk);
    }
    await file.sync();
    return { size, hash: hash.digest("hex") };
  } catch (error) {
    await deleteIfExists(path);
    throw error;
  }
}

async function writeAll(file: Deno.FsFile, chunk: Uint8Array): Promise<void> {
  for (let rest = chunk; rest.length > 0;) rest = rest.subarray(await file.write(rest));
}

/**
 * Writes, syncs and deletes a file. It may exist: an earlier process may have left it, and another
 * one may be doing the same.
 */
export async function probeFile(path: string, bytes: Uint8Array): Promise<void> {
  try {
    using file = await Deno.open(path, { write: true, create: true, truncate: true, mode: 0o600 });
    await writeAll(file, bytes);
    await file.sync();
  } finally {
    await deleteIfExists(path);
  }
}

/** Syncs the directory entries of a folder. */
export async function syncFolder(path: string): Promise<void> {
  using folder = await Deno.open(path);
  await folder.sync();
}

/** Deletes a file, or a folder with its content, if it exists. */
export async function deleteIfExists(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
