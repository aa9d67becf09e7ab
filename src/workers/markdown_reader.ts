/**
 * Reads Markdown in Workers. Parsing takes superlinear time, quadratic or worse for hostile texts,
 * so it runs off the main thread, under a time limit and a memory limit.
 *
 * @module
 */
import { type MarkdownDraft, unreadableIssue } from "../content/markdown/place_nodes.ts";
import type { MarkdownVariant } from "../content/markdown/print_portion.ts";
import type { Node } from "../content/schema/node.ts";
import { validationError } from "../shared/errors.ts";
import { createFairQueue, type QueueUser } from "../shared/fair_queue.ts";
import type { MarkdownReply, MarkdownRequest, MarkdownText } from "./markdown_reader_worker.ts";
import {
  createWorkerPool,
  type PooledWorker,
  WorkerError,
  type WorkerPool,
} from "./worker_pool.ts";

export interface MarkdownReader {
  /**
   * Parses a text into nodes. Rejects with `validation_error` if the text nests too deep, takes too
   * much time or memory, or has too many blocks, and with `service_unavailable` if too many texts
   * of this user are waiting.
   */
  read(markdown: string, user: QueueUser, variant?: MarkdownVariant): Promise<MarkdownDraft>;
  /** Ends the Workers. */
  close(): void;
  readonly counts: () => ReaderCounts;
}

/** Workers, and texts that wait for one. */
export interface ReaderCounts {
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface MarkdownReaderOptions {
  /** Time limit of a text, in milliseconds. */
  readonly timeLimit?: (markdown: string) => number;
  /** Milliseconds after which a small text is read again among large ones. */
  readonly smallTimeLimit?: number;
  /** Memory limit of a text, in megabytes. */
  readonly memory?: number;
  /** How many texts of one user may wait. */
  readonly maxWaiting?: number;
}

interface ReadQueueOptions {
  /** How many texts are read at a time; those of one user are read one after another. */
  readonly concurrency: number;
  /** How many of them may belong to one workspace. */
  readonly perWorkspace: number;
  /** How many texts of one user may wait. */
  readonly maxWaiting: number;
  /** Memory limit of a text, in megabytes. */
  readonly memory: number;
  /** How many threads are kept while there are texts. */
  readonly kept: number;
  /** Nice value of the threads. */
  readonly nice: number;
}

interface ReadQueue {
  /** Returns the parsed text, or which limit it exceeded. */
  read(
    text: MarkdownText,
    user: QueueUser,
    since: number,
  ): Promise<MarkdownDraft | Exhausted>;
  close(): void;
  counts(): ReaderCounts;
}

type Exhausted = NonNullable<WorkerError["exhausted"]>;

/** Texts up to this many characters go to a queue of their own. */
const SMALL = 4_000;
/** Milliseconds that a text may wait in total; shorter than the time limit of its request. */
const MAX_WAIT = 23_000;

const SMALL_TEXTS = { concurrency: 2, perWorkspace: 1, kept: 2, nice: 0 };
const LARGE_TEXTS = {
  concurrency: 3,
  // Leaves a core to the thread of requests, and one to the texts of others.
  perWorkspace: Math.max(1, Math.min(2, navigator.hardwareConcurrency - 2)),
  // Requests and small texts go first: a third of their weight, so that the time limits still hold.
  nice: 5,
  kept: 1,
};

/** Creates a reader; its Workers start with the first text. */
export function createMarkdownReader(
  { timeLimit = timeFor, smallTimeLimit = 100, memory = 256, maxWaiting = 5 }:
    MarkdownReaderOptions = {},
): MarkdownReader {
  const small = createReadQueue({ ...SMALL_TEXTS, memory, maxWaiting });
  const large = createReadQueue({ ...LARGE_TEXTS, memory, maxWaiting });
  return {
    read: async (markdown, user, variant) => {
      const since = performance.now();
      const limit = timeLimit(markdown);
      if (markdown.length <= SMALL) {
        const text = { markdown, variant, timeLimit: Math.min(limit, smallTimeLimit) };
        const read = await small.read(text, user, since);
        if (read !== "time") return unwrap(read);
      }
      return unwrap(await large.read({ markdown, variant, timeLimit: limit }, user, since));
    },
    close: () => {
      small.close();
      large.close();
    },
    counts: () => {
      const [a, b] = [small.counts(), large.counts()];
      return { busy: a.busy + b.busy, idle: a.idle + b.idle, waiting: a.waiting + b.waiting };
    },
  };
}

/** A thousand characters take a few milliseconds, and longer on a busy machine. */
function timeFor({ length }: string): number {
  return Math.min(1_000 + length / 25, 5_000);
}

const TOO_MUCH = { memory: "takes too much memory to read", time: "takes too long to read" };

function unwrap(read: MarkdownDraft | Exhausted): MarkdownDraft {
  if (typeof read === "string") throw validationError([unreadableIssue(TOO_MUCH[read])]);
  return read;
}

function createReadQueue({ memory, kept, nice, ...queueOptions }: ReadQueueOptions): ReadQueue {
  const queue = createFairQueue({
    ...queueOptions,
    maxWait: MAX_WAIT,
    busyMessage: "Too many Markdown texts are waiting: try again",
  });
  const pool = createWorkerPool({
    module: import.meta.resolve("./markdown_reader_worker.ts"),
    purpose: "reads Markdown",
    kept,
    nice,
    memory,
  });
  return {
    read: (text, user, since) => queue.run(user, () => readIn(pool, text), since),
    close: pool.close,
    counts: () => ({ ...pool.counts(), waiting: queue.waiting() }),
  };
}

async function readIn(
  pool: WorkerPool,
  text: MarkdownText,
): Promise<MarkdownDraft | Exhausted> {
  try {
    return await pool.use((worker) => readWith(worker, text));
  } catch (error) {
    const exhausted = error instanceof WorkerError ? error.exhausted : undefined;
    if (exhausted === undefined) throw error;
    return exhausted;
  }
}

async function readWith(
  worker: PooledWorker,
  text: MarkdownText,
): Promise<MarkdownDraft | Exhausted> {
  const nodes: Node[] = [];
  let last = await ask(worker, text);
  while ("nodes" in last) {
    nodes.push(...last.nodes);
    last = await ask(worker, "next");
  }
  if ("exhausted" in last) return last.exhausted;
  if ("issues" in last) throw validationError(last.issues);
  return { ...last, nodes };
}

async function ask(worker: PooledWorker, request: MarkdownRequest): Promise<MarkdownReply> {
  let reply: MarkdownReply | undefined;
  await worker.request<MarkdownRequest, MarkdownReply>(request, (message) => {
    reply = message;
    return "last";
  });
  if (reply === undefined) throw new Error("The Worker that reads Markdown sent no reply");
  return reply;
}
