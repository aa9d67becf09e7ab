/**
 * Comparing the bytes of a file with their SHA-256 while they are sent.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { FileToRead } from "../blob_store.ts";

/**
 * Passes the bytes of a whole file on, but for the last chunk if they do not match: it rejects, or
 * the stream fails, with `toError()`. No damaged file arrives completely.
 */
export async function checkWhileRead(
  bytes: ReadableStream<Uint8Array>,
  { size, hash }: Pick<FileToRead, "size" | "hash">,
  toError: () => Error,
): Promise<ReadableStream<Uint8Array>> {
  const reader = bytes.getReader();
  const sum = createHash("sha256");
  let read = 0;

  async function next(): Promise<Uint8Array | undefined> {
    const { value } = await reader.read();
    if (value === undefined) return undefined;
    sum.update(value);
    read += value.length;
    if (read < size || sum.digest("hex") === hash) return value;
    await reader.cancel();
    throw toError();
  }

  // A file of one chunk is checked before the reply begins, which can still become a 500.
  let chunk = await next();
  return new ReadableStream({
    pull: async (controller) => {
      chunk ??= await next();
      if (chunk === undefined) return controller.close();
      controller.enqueue(chunk);
      chunk = undefined;
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}
