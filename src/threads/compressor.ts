/**
 * Compressing in a thread of its own, while the service starts or serves.
 *
 * @module
 */
import type { Encodings } from "../http/compress.ts";
import { askThread } from "./ask.ts";

/** Texts under content codings, each of its own; ends with the signal. */
export function compressInThread(
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Encodings[]> {
  const module = import.meta.resolve("./compressor_worker.ts");
  return askThread({ module, purpose: "compresses", signal }, texts);
}
