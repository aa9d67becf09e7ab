/**
 * Reading Markdown in a thread of its own. Its time grows faster than the text, at worst with the
 * square of it and more, so nobody else is made to wait, and what takes too long is ended.
 *
 * @module
 */
import type { MarkdownContent } from "../content/markdown/read.ts";
import { AppError, validationError } from "../errors.ts";
import type { MarkdownOutcome } from "./markdown_worker.ts";

export interface MarkdownReader {
  /**
   * The content that a text stands for. Rejects with `validation_error` where the text nests too deep
   * or takes too long, with `service_unavailable` where too many are waiting.
   */
  read(markdown: string): Promise<MarkdownContent>;
  /** Ends the thread, and with it whatever is being read. */
  close(): void;
}

export interface MarkdownReaderOptions {
  /** Milliseconds for one text. */
  readonly timeLimit?: number;
  /** Texts that may wait for one another. */
  readonly waiting?: number;
}

/** A reader whose thread starts with the first text; texts are read one after the other. */
export function createMarkdownReader(
  { timeLimit = 5_000, waiting = 5 }: MarkdownReaderOptions = {},
): MarkdownReader {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let inLine = 0;

  function stop(): void {
    worker?.terminate();
    worker = undefined;
  }

  async function readNext(markdown: string): Promise<MarkdownContent> {
    worker ??= new Worker(import.meta.resolve("./markdown_worker.ts"), { type: "module" });
    try {
      const outcome = await ask(worker, markdown, timeLimit);
      if (outcome.ok) return outcome.content;
    } catch (error) {
      stop();
      throw error;
    }
    throw fault("Markdown nests too deep");
  }

  return {
    read: (markdown) => {
      if (inLine > waiting) return Promise.reject(busy());
      inLine++;
      const content = last.then(() => readNext(markdown)).finally(() => inLine--);
      last = content.catch(() => {});
      return content;
    },
    close: stop,
  };
}

/** The worker's answer to a text; rejects where it fails or takes too long. */
function ask(worker: Worker, markdown: string, timeLimit: number): Promise<MarkdownOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<MarkdownOutcome>();
  const timer = setTimeout(() => reject(fault("Markdown takes too long to read")), timeLimit);
  worker.onmessage = ({ data }: MessageEvent<MarkdownOutcome>) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(`The thread that reads Markdown failed: ${event.message}`));
  };
  worker.postMessage(markdown);
  return promise.finally(() => clearTimeout(timer));
}

function fault(detail: string): AppError {
  return validationError([{ pointer: "/markdown", detail: `${detail}: divide it.` }]);
}

function busy(): AppError {
  return new AppError("service_unavailable", "Too much Markdown waits to be read: try again", {
    headers: { "retry-after": "5" },
  });
}
