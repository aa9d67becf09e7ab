/**
 * The Worker that prints Markdown: it takes a portion of a page a message, and sends back its text.
 *
 * @module
 */
import {
  type PortionData,
  type PrintedPortion,
  printPortion,
} from "../content/markdown/print_portion.ts";

/** The Worker scope; the compiler types `self` as the scope of the main thread. */
interface WorkerScope extends EventTarget {
  postMessage(message: PrintedPortion): void;
}

const worker = self as unknown as WorkerScope;

worker.addEventListener("message", (event) => {
  // Sound because only the printer sends messages to this Worker.
  const { data } = event as MessageEvent<PortionData>;
  worker.postMessage(printPortion(data));
});
