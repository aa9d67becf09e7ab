/**
 * Compressing in a thread of its own, while the service starts or serves.
 *
 * @module
 */
import type { Encodings } from "../http/compress.ts";

/** Texts under content codings, each of its own. The thread lives no longer than this. */
export async function compressInThread(texts: readonly string[]): Promise<readonly Encodings[]> {
  const worker = new Worker(import.meta.resolve("./compressor_worker.ts"), { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<readonly Encodings[]>();
  worker.onmessage = ({ data }: MessageEvent<readonly Encodings[]>) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(`The thread that compresses failed: ${event.message}`));
  };
  worker.postMessage(texts);
  try {
    return await promise;
  } finally {
    worker.terminate();
  }
}
