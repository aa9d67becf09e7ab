/**
 * Reads files as streams, with bounded memory.
 *
 * @module
 */
import type { ByteSpan } from "../blob_store.ts";

export interface ReadOptions {
  /** The range to read; by default the whole file. */
  readonly piece?: ByteSpan | undefined;
  /** Called with the size of the file before it is opened; what it throws is passed on. */
  readonly assertSize?: (size: number) => void;
}

export interface FileReader {
  /**
   * Reads a regular file, or a range of it; undefined if there is none. Each chunk is only valid
   * until the next is requested.
   */
  read(path: string, options?: ReadOptions): Promise<ReadableStream<Uint8Array> | undefined>;
}

/** Maximum bytes of a chunk: each read goes through a thread pool, so few large ones are faster. */
const MAX_CHUNK = 524_288;
const MIN_CHUNK = 65_536;
/** Bytes for the chunks of all streams; beyond, chunks become smaller. */
const MEMORY = 64 * MAX_CHUNK;
/** Chunks that are read ahead. */
const READ_AHEAD = 1;

/** Creates a reader whose streams share the memory for chunks. */
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
    read: async (path, { piece, assertSize } = {}) => {
      try {
        // Not `stat`: a symbolic link could lead to any file that the process may read.
        const { isFile, size } = await Deno.lstat(path);
        if (!isFile) return undefined;
        assertSize?.(size);
        return open(await Deno.open(path), piece ?? { start: 0, stop: size });
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
  /** Called when reading ends; must be idempotent. */
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
      // Frees the memory of a chunk that was sent, rather than wait for the garbage collector.
      if (chunks.length > READ_AHEAD) chunks.shift()?.transfer(0);
      try {
        const chunk = new Uint8Array(Math.min(size, left));
        const count = await file.read(chunk);
        if (count === null) throw new Error("The file became shorter while it was read");
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
