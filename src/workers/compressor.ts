/**
 * Compresses texts in a Worker, so that it does not block requests.
 *
 * @module
 */
import type { Encodings } from "../http/compress.ts";
import { runInWorker } from "./run_in_worker.ts";

/** Returns each text under every content coding; rejects when the signal aborts. */
export function compressInWorker(
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Encodings[]> {
  const module = import.meta.resolve("./compressor_worker.ts");
  return runInWorker({ module, purpose: "compresses texts", signal }, texts);
}
