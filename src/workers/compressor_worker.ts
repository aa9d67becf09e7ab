/**
 * The Worker that compresses: it takes one message with texts, and sends back their encodings.
 *
 * @module
 */
import { compressText, type Encodings } from "../http/compress.ts";

/** The Worker scope; the compiler types `self` as the scope of the main thread. */
interface WorkerScope extends EventTarget {
  postMessage(message: readonly Encodings[]): void;
}

const worker = self as unknown as WorkerScope;

worker.addEventListener("message", (event) => {
  // Sound because only `compressInWorker` sends messages to this Worker.
  const { data } = event as MessageEvent<readonly string[]>;
  worker.postMessage(data.map(compressText));
});
