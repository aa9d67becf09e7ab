/**
 * Learning what words mean in a thread of its own, for it takes many seconds.
 *
 * @module
 */
import type { TitledText } from "../search/meaning/terms.ts";

/** The model of these texts as bytes; ends with the signal. The thread lives no longer than this. */
export async function learnInThread(
  texts: readonly TitledText[],
  signal: AbortSignal,
): Promise<Uint8Array> {
  const worker = new Worker(import.meta.resolve("./lsa_worker.ts"), { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  worker.onmessage = ({ data }: MessageEvent<Uint8Array>) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(`The thread that learns failed: ${event.message}`));
  };
  worker.postMessage(texts);
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", stop);
    worker.terminate();
  }
}
