/**
 * Compressing in a thread of its own, while the service starts or serves.
 *
 * @module
 */
import type { Encodings } from "../http/compress.ts";
import { runInWorker } from "./run_in_worker.ts";

/** Texts under content codings, each of its own; ends with the signal. */
export function compressInWorker(
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Encodings[]> {
  const module = import.meta.resolve("./compressor_worker.ts");
  return runInWorker({ module, purpose: "compresses", signal }, texts);
}
