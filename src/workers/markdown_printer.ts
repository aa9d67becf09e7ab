/**
 * Prints large pages as Markdown in a Worker, so that it does not block requests.
 *
 * @module
 */
import type { PortionData, PrintedPortion } from "../content/markdown/print_portion.ts";
import { assertMayStartWorker } from "../shared/worker_start.ts";

export interface MarkdownPrinter {
  /** Returns the Markdown of a portion. Portions are printed in the order they arrive. */
  print(portion: PortionData): Promise<PrintedPortion>;
  /** Ends the Worker; pending portions are rejected. */
  close(): void;
}

/** Creates a printer; its Worker starts with the first portion. */
export function createMarkdownPrinter(): MarkdownPrinter {
  let worker: Worker | undefined;
  let waiting: PromiseWithResolvers<PrintedPortion>[] = [];

  function start(): Worker {
    const module = import.meta.resolve("./markdown_printer_worker.ts");
    assertMayStartWorker(module);
    const started = new Worker(module, { type: "module" });
    started.onmessage = ({ data }: MessageEvent<PrintedPortion>) => waiting.shift()?.resolve(data);
    started.onerror = (event) => {
      event.preventDefault();
      stop(`failed: ${event.message}`);
    };
    return started;
  }

  function stop(reason: string): void {
    worker?.terminate();
    worker = undefined;
    const pending = waiting;
    waiting = [];
    for (const { reject } of pending) {
      reject(new Error(`The Worker that prints Markdown ${reason}`));
    }
  }

  return {
    print: (portion) => {
      worker ??= start();
      const printed = Promise.withResolvers<PrintedPortion>();
      waiting.push(printed);
      worker.postMessage(portion);
      return printed.promise;
    },
    close: () => stop("was ended"),
  };
}
