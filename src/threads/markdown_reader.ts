/**
 * Reading Markdown in a thread of its own. Its time grows faster than the text, at worst with the
 * square of it and more, so nobody else is made to wait, and what takes too long is ended.
 *
 * @module
 */
import type { MarkdownContent } from "../content/markdown/read.ts";
import { AppError, validationError } from "../errors.ts";
import type { MarkdownOutcome, Ready } from "./markdown_worker.ts";

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

const START_LIMIT = 30_000;

/** A reader whose thread starts with the first text; texts are read one after the other. */
export function createMarkdownReader(
  { timeLimit = 5_000, waiting = 5 }: MarkdownReaderOptions = {},
): MarkdownReader {
  let worker: Worker | undefined;
  let isReady = false;
  let last: Promise<unknown> = Promise.resolve();
  let inLine = 0;

  function stop(): void {
    worker?.terminate();
    worker = undefined;
    isReady = false;
  }

  async function readNext(markdown: string): Promise<MarkdownContent> {
    worker ??= new Worker(import.meta.resolve("./markdown_worker.ts"), { type: "module" });
    try {
      // Its start is no part of a text's time: on a busy machine it takes seconds.
      if (!isReady) await nextMessage<Ready>(worker, START_LIMIT);
      isReady = true;
      worker.postMessage(markdown);
      const outcome = await nextMessage<MarkdownOutcome>(worker, timeLimit);
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

/** What the worker says next; rejects where it fails or takes longer than that. */
function nextMessage<Message>(worker: Worker, timeLimit: number): Promise<Message> {
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const timer = setTimeout(() => reject(fault("Markdown takes too long to read")), timeLimit);
  worker.onmessage = ({ data }: MessageEvent<Message>) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(`The thread that reads Markdown failed: ${event.message}`));
  };
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
