/**
 * The thread that checks a file: for a large one that takes minutes.
 *
 * @module
 */
import { checkIntegrity } from "./integrity.ts";

/** The global scope of a worker, which the compiler takes for a window's. */
interface Thread extends EventTarget {
  postMessage(findings: readonly string[]): void;
}

const thread = self as unknown as Thread;

thread.addEventListener("message", (event) => {
  // Sound because the server alone writes to this thread.
  const { data } = event as MessageEvent<string>;
  thread.postMessage(checkIntegrity(data, "quick_check"));
});
