/**
 * The thread that compresses: one message with texts, one answer, each of them under its codings.
 *
 * @module
 */
import { compressText, type Encodings } from "../http/compress.ts";

/** What a thread of its own has, which the compiler does not know of here. */
interface Thread extends EventTarget {
  postMessage(message: readonly Encodings[]): void;
}

const thread = self as unknown as Thread;

thread.addEventListener("message", (event) => {
  // Sound because the compressor alone writes to this thread.
  const { data } = event as MessageEvent<readonly string[]>;
  thread.postMessage(data.map(compressText));
});
