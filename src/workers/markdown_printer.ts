/**
 * Printing large pages in a thread of its own, while requests are served in theirs.
 *
 * @module
 */
import type { PortionData, PrintedPortion } from "../content/markdown/print_portion.ts";

export interface MarkdownPrinter {
  /** The text of a portion. Portions are printed in the order they come, whosever they are. */
  print(portion: PortionData): Promise<PrintedPortion>;
  /** Ends the thread; what is being printed is rejected. */
  close(): void;
}

/** A printer whose thread starts with the first portion. */
export function createMarkdownPrinter(): MarkdownPrinter {
  let worker: Worker | undefined;
  let waiting: PromiseWithResolvers<PrintedPortion>[] = [];

  function start(): Worker {
    const started = new Worker(import.meta.resolve("./markdown_printer_worker.ts"), {
      type: "module",
    });
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
    const unanswered = waiting;
    waiting = [];
    for (const { reject } of unanswered) {
      reject(new Error(`The thread that prints Markdown ${reason}`));
    }
  }

  return {
    print: (portion) => {
      worker ??= start();
      const answer = Promise.withResolvers<PrintedPortion>();
      waiting.push(answer);
      worker.postMessage(portion);
      return answer.promise;
    },
    close: () => stop("was ended"),
  };
}
