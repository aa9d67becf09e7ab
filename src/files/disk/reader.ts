/**
 * Reading files as streams, fast and with little memory.
 *
 * @module
 */
import type { ByteSpan } from "../blob_store.ts";

export interface FileReader {
  /**
   * The bytes of a regular file, or a piece of them; undefined where there is none. Each chunk is
   * there until the next is asked for.
   */
  read(path: string, piece?: ByteSpan): Promise<ReadableStream<Uint8Array> | undefined>;
}

/** Bytes of a chunk. Each is read in another thread, so that few large ones are faster. */
const MAX_CHUNK = 524_288;
const MIN_CHUNK = 65_536;
/** Bytes of the chunks of all streams, one of each, before they are made smaller. */
const MEMORY = 64 * MAX_CHUNK;
/** Chunks that are read while one is sent. */
const READ_AHEAD = 1;

/** A reader whose streams share the memory for their chunks. */
export function createReader(): FileReader {
  let streams = 0;

  function open(file: Deno.FsFile, { start, stop }: ByteSpan): ReadableStream<Uint8Array> {
    const opened = new DisposableStack();
    opened.use(file);
    opened.defer(() => streams--);
    streams++;
    file.seekSync(start, Deno.SeekMode.Start);
    const size = Math.min(MAX_CHUNK, Math.max(MIN_CHUNK, Math.floor(MEMORY / streams)));
    return streamOf(file, { bytes: stop - start, size, close: () => opened.dispose() });
  }

  return {
    read: async (path, piece) => {
      try {
        // A link would lead to whatever the process may read.
        const { isFile, size } = await Deno.lstat(path);
        return isFile ? open(await Deno.open(path), piece ?? { start: 0, stop: size }) : undefined;
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return undefined;
        throw error;
      }
    },
  };
}

interface StreamOptions {
  /** Bytes to read. */
  readonly bytes: number;
  /** Bytes of a chunk. */
  readonly size: number;
  /** Called once nothing more is read, maybe again. */
  readonly close: () => void;
}

function streamOf(
  file: Deno.FsFile,
  { bytes, size, close }: StreamOptions,
): ReadableStream<Uint8Array> {
  const chunks: ArrayBuffer[] = [];
  let left = bytes;
  return new ReadableStream({
    pull: async (controller) => {
      // Of a chunk that was sent the memory is freed at once: until it is collected it would pile up,
      // and memory that is new is slow.
      if (chunks.length > READ_AHEAD) chunks.shift()?.transfer(0);
      try {
        const chunk = new Uint8Array(Math.min(size, left));
        const count = await file.read(chunk);
        if (count === null) throw new Error("A file is shorter than it was");
        chunks.push(chunk.buffer);
        controller.enqueue(chunk.subarray(0, count));
        left -= count;
        if (left > 0) return;
        controller.close();
        close();
      } catch (error) {
        close();
        throw error;
      }
    },
    cancel: close,
  }, { highWaterMark: READ_AHEAD });
}
