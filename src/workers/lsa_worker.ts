/**
 * The Worker that trains the LSA model: it takes one message with lines of JSON, and sends back the
 * model as bytes.
 *
 * @module
 */
import { learnLsa } from "../search/meaning/lsa.ts";
import { lsaToBytes } from "../search/meaning/lsa_bytes.ts";
import type { TitledText } from "../search/meaning/terms.ts";

/** The Worker scope; the compiler types `self` as the scope of the main thread. */
interface WorkerScope extends EventTarget {
  postMessage(message: Uint8Array, transfer: Transferable[]): void;
}

const worker = self as unknown as WorkerScope;

worker.addEventListener("message", (event) => {
  // Sound because only `learnInWorker` sends messages to this Worker.
  const { data } = event as MessageEvent<ArrayBuffer>;
  const lines = new TextDecoder().decode(data).trimEnd().split("\n");
  // Sound because these are the lines that it writes.
  const texts = lines.map((line): TitledText => JSON.parse(line));
  const bytes = lsaToBytes(learnLsa(texts));
  worker.postMessage(bytes, [bytes.buffer]);
});
