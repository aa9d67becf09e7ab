/**
 * Learning what words mean in a thread of its own, for it takes many seconds.
 *
 * @module
 */
import type { TitledText } from "../search/meaning/terms.ts";
import { askThread } from "./ask.ts";

/** The model of these texts as bytes; ends with the signal. */
export function learnInThread(
  texts: readonly TitledText[],
  signal: AbortSignal,
): Promise<Uint8Array> {
  const module = import.meta.resolve("./lsa_worker.ts");
  return askThread({ module, purpose: "learns", signal }, texts);
}
