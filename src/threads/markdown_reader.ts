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

  async function start(): Promise<Worker> {
    const started = new Worker(import.meta.resolve("./markdown_worker.ts"), { type: "module" });
    worker = started;
    // It says when it is ready, and only from then on a text's time is counted.
    await nextMessage(started);
    return started;
  }

  async function readNext(markdown: string): Promise<MarkdownContent> {
    try {
      const ready = worker ?? await start();
      const answer = within(timeLimit, nextMessage<MarkdownOutcome>(ready));
      ready.postMessage(markdown);
      const outcome = await answer;
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

/** What a worker says next; rejects where it fails. */
function nextMessage<T>(worker: Worker): Promise<T> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<T>) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(`The thread that reads Markdown failed: ${event.message}`));
    };
  });
}

async function within<T>(timeLimit: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(fault("Markdown takes too long to read")), timeLimit);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function fault(detail: string): AppError {
  return validationError([{ pointer: "/markdown", detail: `${detail}: divide it.` }]);
}

function busy(): AppError {
  return new AppError("service_unavailable", "Too much Markdown waits to be read: try again", {
    headers: { "retry-after": "5" },
  });
}
