/**
 * Trains the LSA model in a Worker, because that takes many seconds.
 *
 * @module
 */
import type { TitledText } from "../search/meaning/terms.ts";
import { createBackgroundRest } from "../shared/yield_to_event_loop.ts";
import { runInWorker } from "./run_in_worker.ts";

/** Milliseconds; twenty times what the largest training set has taken. */
const TIME_LIMIT = 10 * 60_000;

const encoder = new TextEncoder();

/**
 * Returns the model of these texts as bytes; rejects when the signal aborts or after ten minutes.
 */
export async function learnInWorker(
  texts: readonly TitledText[],
  signal: AbortSignal,
): Promise<Uint8Array> {
  const module = import.meta.resolve("./lsa_worker.ts");
  const eitherSignal = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT)]);
  const task = { module, purpose: "trains the search model", signal: eitherSignal };
  const bytes = await linesOf(texts);
  return await runInWorker(task, bytes, [bytes]);
}

/** Writes texts as lines of JSON, a few in each turn; to clone 10,000 of them takes 80 ms at once. */
async function linesOf(texts: readonly TitledText[]): Promise<ArrayBuffer> {
  const rest = createBackgroundRest();
  const lines: Uint8Array[] = [];
  let size = 0;
  for (const { title, text } of texts) {
    const line = encoder.encode(`${JSON.stringify({ title, text })}\n`);
    lines.push(line);
    size += line.length;
    await rest();
  }
  const bytes = new Uint8Array(size);
  let end = 0;
  for (const line of lines) {
    bytes.set(line, end);
    end += line.length;
    await rest();
  }
  return bytes.buffer;
}
