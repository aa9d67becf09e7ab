/**
 * Reading and writing files stream by stream.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Piece } from "../shelf.ts";

export interface Written {
  readonly size: number;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
}

/** Writes a new file and has it on the disk before it answers; removes it where anything fails. */
export async function writeFile(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Written> {
  try {
    using file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
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
    await removeQuietly(path);
    throw error;
  }
}

async function writeAll(file: Deno.FsFile, chunk: Uint8Array): Promise<void> {
  for (let rest = chunk; rest.length > 0;) rest = rest.subarray(await file.write(rest));
}

/** Has the names in a folder on the disk. */
export async function syncFolder(path: string): Promise<void> {
  using folder = await Deno.open(path);
  await folder.sync();
}

/** Removes a file or a folder with all in it; silent where there is none. */
export async function removeQuietly(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

const CHUNK = 262_144;

/** The bytes of a regular file, or a piece of them; undefined where there is none. */
export async function readFile(
  path: string,
  piece?: Piece,
): Promise<ReadableStream<Uint8Array> | undefined> {
  try {
    // A link would lead to whatever the process may read.
    if (!(await Deno.lstat(path)).isFile) return undefined;
    const file = await Deno.open(path);
    return piece === undefined ? file.readable : await readPiece(file, piece);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function readPiece(
  file: Deno.FsFile,
  { start, stop }: Piece,
): Promise<ReadableStream<Uint8Array>> {
  await file.seek(start, Deno.SeekMode.Start);
  let left = stop - start;
  return new ReadableStream({
    async pull(controller) {
      const chunk = new Uint8Array(Math.min(CHUNK, left));
      const count = left === 0 ? null : await file.read(chunk);
      if (count === null) {
        file.close();
        return controller.close();
      }
      left -= count;
      controller.enqueue(chunk.subarray(0, count));
    },
    cancel: () => file.close(),
  }, { highWaterMark: 0 });
}
