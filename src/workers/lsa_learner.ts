/**
 * Trains the LSA model in a Worker, because that takes many seconds.
 *
 * @module
 */
import type { TitledText } from "../search/meaning/terms.ts";
import { runInWorker } from "./run_in_worker.ts";

/** Milliseconds; twenty times what the largest training set has taken. */
const TIME_LIMIT = 10 * 60_000;

/**
 * Returns the model of these texts as bytes; rejects when the signal aborts or after ten minutes.
 */
export function learnInWorker(
  texts: readonly TitledText[],
  signal: AbortSignal,
): Promise<Uint8Array> {
  const module = import.meta.resolve("./lsa_worker.ts");
  const eitherSignal = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT)]);
  return runInWorker({ module, purpose: "trains the search model", signal: eitherSignal }, texts);
}
