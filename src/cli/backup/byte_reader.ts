/**
 * Reads pieces of chosen lengths from a stream.
 *
 * @module
 */
import { ArchiveError, damaged } from "./archive_error.ts";

export interface ByteReader {
  /** Returns exactly so many bytes of something; throws `ArchiveError` if the stream has fewer. */
  read(length: number, what: string): Promise<Uint8Array>;
  /** Yields exactly so many bytes in chunks, each valid until the next is requested. */
  chunks(length: number, what: string): AsyncGenerator<Uint8Array>;
  /** Throws `ArchiveError` if anything is left. */
  end(): Promise<void>;
}

/** Creates a reader of a stream. An error of the stream is reported with what was being read. */
export function createByteReader(stream: ReadableStream<Uint8Array>): ByteReader {
  const reader = stream.getReader();
  let rest: Uint8Array = new Uint8Array();

  /** Returns up to so many bytes; none at the end. */
  async function some(limit: number, what: string): Promise<Uint8Array> {
    while (rest.length === 0) {
      const { value, done } = await next(what);
      if (done) return rest;
      rest = value;
    }
    const piece = rest.subarray(0, limit);
    rest = rest.subarray(piece.length);
    return piece;
  }

  async function next(what: string) {
    try {
      return await reader.read();
    } catch (error) {
      if (error instanceof ArchiveError) throw damaged(what, error.message);
      throw error;
    }
  }

  async function* chunks(length: number, what: string): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0;) {
      const chunk = await some(left, what);
      if (chunk.length === 0) throw damaged(what, "the archive ends there");
      left -= chunk.length;
      yield chunk;
    }
  }

  return {
    chunks,
    read: async (length, what) => {
      const bytes = new Uint8Array(length);
      let at = 0;
      for await (const chunk of chunks(length, what)) {
        bytes.set(chunk, at);
        at += chunk.length;
      }
      return bytes;
    },
    end: async () => {
      if ((await some(1, "the end")).length > 0) throw damaged("the end", "more follows");
    },
  };
}
