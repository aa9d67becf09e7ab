/**
 * The limit of a file whose length is only known once all of it is read.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";

/** Yields chunks. Throws `payload_too_large` before the one with which they exceed `maxBytes`. */
export async function* limitBytes(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new AppError("payload_too_large", `File is larger than ${maxBytes} bytes`);
    }
    yield chunk;
  }
}
