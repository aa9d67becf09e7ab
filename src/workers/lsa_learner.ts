/**
 * Learning what words mean in a thread of its own, for it takes many seconds.
 *
 * @module
 */
import type { TitledText } from "../search/meaning/terms.ts";
import { runInWorker } from "./run_in_worker.ts";

/** Milliseconds: twenty times what the most texts that are learnt from have taken. */
const TIME_LIMIT = 10 * 60_000;

/** The model of these texts as bytes; rejects with the signal, and where it takes far too long. */
export function learnInWorker(
  texts: readonly TitledText[],
  signal: AbortSignal,
): Promise<Uint8Array> {
  const module = import.meta.resolve("./lsa_worker.ts");
  const ends = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT)]);
  return runInWorker({ module, purpose: "learns", signal: ends }, texts);
}
