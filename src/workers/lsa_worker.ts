/**
 * The thread that learns what words mean: one message with texts, one answer, the model as bytes.
 *
 * @module
 */
import { learnLsa } from "../search/meaning/lsa.ts";
import { lsaToBytes } from "../search/meaning/lsa_bytes.ts";
import type { TitledText } from "../search/meaning/terms.ts";

/** What a thread of its own has, which the compiler does not know of here. */
interface Thread extends EventTarget {
  postMessage(message: Uint8Array, transfer: Transferable[]): void;
}

const thread = self as unknown as Thread;

thread.addEventListener("message", (event) => {
  // Sound because the learner alone writes to this thread.
  const { data } = event as MessageEvent<readonly TitledText[]>;
  const bytes = lsaToBytes(learnLsa(data));
  thread.postMessage(bytes, [bytes.buffer]);
});
