/**
 * Reading Markdown in threads of their own. Its time grows faster than the text, at worst with the
 * square of it and more, so nobody else is made to wait, and what takes too long is stopped.
 *
 * @module
 */
import { type MarkdownDraft, unreadableIssue } from "../content/markdown/place_nodes.ts";
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
  read(markdown: string, asker: Asker): Promise<MarkdownDraft>;
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

/** Where texts are read, and who waits for whom. */
interface LaneOptions {
  /** Texts that are read at a time: those of one caller are read one after the other. */
  readonly places: number;
  /** Those of one workspace. */
  readonly perWorkspace: number;
  /** Texts of one caller that may wait for one another. */
  readonly waiting: number;
  /** Megabytes for a text. */
  readonly memory: number;
}

interface Lane {
  /** What a text stands for, or what there was too little of to read it. */
  read(
    question: MarkdownQuestion,
    asker: Asker,
    since: number,
  ): Promise<MarkdownDraft | Spent>;
  close(): void;
}

type Spent = NonNullable<WorkerError["spent"]>;

/** Characters of a text that waits for small texts alone. */
const SMALL = 4_000;
/** Milliseconds for a text among the small ones: what takes longer is read again among the large. */
const MOMENT = 100;

/** Milliseconds that a text waits in all: its answer must come before its request is given up. */
const PATIENCE = 23_000;

const SMALL_TEXTS = { places: 2, perWorkspace: 1 };
const LARGE_TEXTS = { places: 3, perWorkspace: 2 };

/** A reader whose first threads start with the first text. */
export function createMarkdownReader(
  { timeLimit = timeFor, memory = 256, waiting = 5 }: MarkdownReaderOptions = {},
): MarkdownReader {
  const small = createLane({ ...SMALL_TEXTS, memory, waiting });
  const large = createLane({ ...LARGE_TEXTS, memory, waiting });
  return {
    read: async (markdown, asker) => {
      const since = performance.now();
      const limit = timeLimit(markdown);
      if (markdown.length <= SMALL) {
        const question = { markdown, timeLimit: Math.min(limit, MOMENT) };
        const read = await small.read(question, asker, since);
        if (read !== "time") return wholeOf(read);
      }
      return wholeOf(await large.read({ markdown, timeLimit: limit }, asker, since));
    },
    close: () => {
      small.close();
      large.close();
    },
  };
}

/** A thousand characters take a few milliseconds, and many where the machine is busy. */
function timeFor({ length }: string): number {
  return Math.min(1_000 + length / 25, 5_000);
}

const TOO_MUCH = { memory: "takes too much memory to read", time: "takes too long to read" };

function wholeOf(read: MarkdownDraft | Spent): MarkdownDraft {
  if (typeof read === "string") throw validationError([unreadableIssue(TOO_MUCH[read])]);
  return read;
}

function createLane({ memory, ...turnOptions }: LaneOptions): Lane {
  const turns = createFairQueue({
    ...turnOptions,
    patience: PATIENCE,
    busy: "Too much Markdown waits to be read: try again",
  });
  const pool = createWorkerPool({
    module: import.meta.resolve("./markdown_reader_worker.ts"),
    purpose: "reads Markdown",
    memory,
  });
  return {
    read: (question, asker, since) => turns.take(asker, () => readIn(pool, question), since),
    close: pool.close,
  };
}

async function readIn(
  pool: WorkerPool,
  question: MarkdownQuestion,
): Promise<MarkdownDraft | Spent> {
  try {
    return await pool.use((thread) => readWith(thread, question));
  } catch (error) {
    const spent = error instanceof WorkerError ? error.spent : undefined;
    if (spent === undefined) throw error;
    return spent;
  }
}

async function readWith(
  thread: PooledWorker,
  question: MarkdownQuestion,
): Promise<MarkdownDraft | Spent> {
  const nodes: Node[] = [];
  let last: Exclude<MarkdownMessage, { nodes: unknown }> | undefined;
  await thread.ask<MarkdownQuestion, MarkdownMessage>(question, (message) => {
    if ("nodes" in message) nodes.push(...message.nodes);
    else last = message;
    return last === undefined ? "more" : "last";
  });
  if (last === undefined) throw new Error("The thread that reads Markdown said nothing");
  if ("spent" in last) return last.spent;
  if ("issues" in last) throw validationError(last.issues);
  return { ...last, nodes };
}
