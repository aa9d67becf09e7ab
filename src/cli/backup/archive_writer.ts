/**
 * Writes an archive: members, and after them what their checksums are.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { type Checksum, LIST_LENGTH, listName, type Manifest } from "./manifest.ts";
import { FORMAT, MANIFEST, MANIFEST_HASH } from "./manifest.ts";
import { TAR_END, tarHeader, tarPadding } from "./tar.ts";

export interface ArchiveWriter {
  /** Writes a member; throws if it has another size. */
  add(name: string, size: number, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Writes the checksums and the manifest, and ends the archive. */
  end(manifest: Omit<Manifest, "checksums" | "format">): Promise<void>;
}

/** Creates a writer; `write` may wait, and then nothing more is read. */
export function createArchiveWriter(
  write: (bytes: Uint8Array) => Promise<void>,
  time: number,
): ArchiveWriter {
  const lists: string[] = [];
  let checksums: Checksum[] = [];

  async function put(name: string, size: number, chunks: AsyncIterable<Uint8Array>) {
    const hash = createHash("sha256");
    let left = size;
    await write(tarHeader({ name, size, time: Math.floor(time / 1_000) }));
    for await (const chunk of chunks) {
      hash.update(chunk);
      left -= chunk.length;
      await write(chunk);
    }
    if (left !== 0) throw new Error(`${name} changed its size while it was read`);
    await write(tarPadding(size));
    return hash.digest("hex");
  }

  async function putText(name: string, text: string): Promise<string> {
    const bytes = new TextEncoder().encode(text);
    return await put(name, bytes.length, ReadableStream.from([bytes]));
  }

  async function endList(): Promise<void> {
    if (checksums.length === 0) return;
    lists.push(await putText(listName(lists.length), JSON.stringify(checksums)));
    checksums = [];
  }

  return {
    add: async (name, size, chunks) => {
      checksums.push([name, size, await put(name, size, chunks)]);
      if (checksums.length === LIST_LENGTH) await endList();
    },
    end: async (manifest) => {
      await endList();
      const whole: Manifest = { format: FORMAT, ...manifest, checksums: lists };
      await putText(
        MANIFEST_HASH,
        await putText(MANIFEST, `${JSON.stringify(whole, null, 2)}\n`),
      );
      await write(TAR_END);
    },
  };
}
