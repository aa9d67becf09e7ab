/**
 * The thread that prints Markdown: each message is a portion of a page, each answer its text.
 *
 * @module
 */
import {
  type PortionData,
  type PrintedPortion,
  printPortion,
} from "../content/markdown/print_portion.ts";

/** What a thread of its own has, which the compiler does not know of here. */
interface Thread extends EventTarget {
  postMessage(message: PrintedPortion): void;
}

const thread = self as unknown as Thread;

thread.addEventListener("message", (event) => {
  // Sound because the printer alone writes to this thread.
  const { data } = event as MessageEvent<PortionData>;
  thread.postMessage(printPortion(data));
});
