/**
 * Reading Markdown in threads of their own. Its time grows faster than the text, at worst with the
 * square of it and more, so nobody else is made to wait, and what takes too long is stopped.
 *
 * @module
 */
import { type DraftedMarkdown, unread } from "../content/markdown/draft_nodes.ts";
import type { Node } from "../content/schema/node.ts";
import { validationError } from "../shared/errors.ts";
import { type Asker, createFairQueue } from "./fair_queue.ts";
import type { MarkdownMessage, MarkdownQuestion } from "./markdown_reader_worker.ts";
import {
  createWorkerPool,
  type PooledWorker,
  WorkerError,
  type WorkerPool,
} from "./worker_pool.ts";

export interface MarkdownReader {
  /**
   * The nodes that a text stands for. Rejects with `validation_error` where the text nests too deep,
   * takes too much time or memory or has too many blocks, with `service_unavailable` where too many texts of the
   * caller are waiting.
   */
  read(markdown: string, asker: Asker): Promise<DraftedMarkdown>;
  /** Ends the threads. */
  close(): void;
}

export interface MarkdownReaderOptions {
  /** Milliseconds for a text. */
  readonly timeLimit?: (markdown: string) => number;
  /** Megabytes for a text. */
  readonly memory?: number;
  /** Texts of one caller that may wait for one another. */
  readonly waiting?: number;
}

/** Texts that are read at a time: those of one caller are read one after the other. */
const PLACES = 4;
/** What one workspace leaves to the others. */
const PER_WORKSPACE = PLACES - 1;
/** Milliseconds that a text waits: its answer must come before its request is given up. */
const PATIENCE = 23_000;

/** Characters from which on a text may keep a thread busy for long. */
const HEAVY = 2_000;

/** A reader whose first thread starts with the first text. */
export function createMarkdownReader(
  { timeLimit = timeFor, memory = 256, waiting = 5 }: MarkdownReaderOptions = {},
): MarkdownReader {
  const turns = createFairQueue({
    places: PLACES,
    perWorkspace: PER_WORKSPACE,
    waiting,
    patience: PATIENCE,
    busy: "Too much Markdown waits to be read: try again",
  });
  const pool = createWorkerPool({
    module: import.meta.resolve("./markdown_reader_worker.ts"),
    purpose: "reads Markdown",
    memory,
    size: PLACES,
  });
  return {
    read: (markdown, asker) => {
      const question = { markdown, timeLimit: timeLimit(markdown) };
      return turns.take(asker, () => readIn(pool, question));
    },
    close: pool.close,
  };
}

/** A thousand characters take a few milliseconds, and many where the machine is busy. */
function timeFor({ length }: string): number {
  return Math.min(1_000 + length / 25, 5_000);
}

const SPENT = { memory: "takes too much memory to read", time: "takes too long to read" };

async function readIn(pool: WorkerPool, question: MarkdownQuestion): Promise<DraftedMarkdown> {
  try {
    const weight = question.markdown.length < HEAVY ? "light" : "heavy";
    return await pool.use(weight, (thread) => readWith(thread, question));
  } catch (error) {
    const spent = error instanceof WorkerError ? error.spent : undefined;
    throw spent === undefined ? error : validationError([unread(SPENT[spent])]);
  }
}

async function readWith(
  thread: PooledWorker,
  question: MarkdownQuestion,
): Promise<DraftedMarkdown> {
  const nodes: Node[] = [];
  let last: Exclude<MarkdownMessage, { nodes: unknown }> | undefined;
  await thread.ask<MarkdownQuestion, MarkdownMessage>(question, (message) => {
    if ("nodes" in message) nodes.push(...message.nodes);
    else last = message;
    return last === undefined ? "more" : "last";
  });
  if (last === undefined) throw new Error("The thread that reads Markdown said nothing");
  if ("issues" in last) throw validationError(last.issues);
  return { ...last, nodes };
}
