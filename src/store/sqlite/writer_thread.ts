/**
 * The main thread's side of the writer thread.
 *
 * @module
 */
import type { WriteRequest } from "../writing.ts";
import { assertMayStartWorker } from "../../shared/worker_start.ts";
import { toSent, toSentCommit, transferOf } from "./sent_request.ts";
import type { SliceOptions, SliceOutcome } from "./sliced_commits.ts";
import { valueOf, type WriteOutcome } from "./write_outcome.ts";
import type { WriterMessage, WriterStart } from "./writer_worker.ts";

export interface WriterWorker {
  /**
   * Starts the thread, and resolves once it has opened the file or has failed to; undefined if it
   * runs.
   */
  open(): Promise<void> | undefined;
  /** Settles like the write, once it is on the disk. */
  write(request: WriteRequest): Promise<unknown>;
  /** See `SlicedCommits`. */
  attempt(request: WriteRequest<"commit">): Promise<SliceOutcome>;
  begin(request: WriteRequest<"commit">): Promise<SliceOutcome>;
  goOn(workspace: string, isAlone: boolean): Promise<SliceOutcome>;
  /** Merges segments of the index of words; returns whether there is more to do. */
  merge(): Promise<boolean>;
  /** Copies the log into the file; resolves to the pages that are left, which are all if it fails. */
  copyLog(): Promise<number>;
  /**
   * Copies the rest of the log, while nobody writes, and cuts a part if it is large; returns whether it
   * still is. False if that fails.
   */
  cutLog(): Promise<boolean>;
  /** Lets the write under way end, if it does so soon, and closes the file. */
  close(): Promise<void>;
}

/** Milliseconds for the last write to end. At the next start, SQLite rolls back an unfinished one. */
const CLOSING_TIME = 4_000;

/** Milliseconds without a write after which the thread is ended, which gives back 17 to 100 MB. */
const IDLE_TIME = 5_000;

export interface WriterWorkerOptions {
  readonly idleTime?: number;
  readonly slices?: SliceOptions | undefined;
}

interface ThreadEvents {
  readonly take: (answer: WriteOutcome) => void;
  readonly fail: (reason: string) => void;
}

function startThread(start: WriterStart, { take, fail }: ThreadEvents): Worker {
  const module = import.meta.resolve("./writer_worker.ts");
  assertMayStartWorker(module);
  const started = new Worker(module, { type: "module" });
  started.onmessage = ({ data }: MessageEvent<WriteOutcome>) => take(data);
  started.onerror = (event) => {
    event.preventDefault();
    fail(event.message);
  };
  started.postMessage(start satisfies WriterMessage);
  return started;
}

/**
 * Writes to the file at `path`, whose schema is up to date. The thread starts with the first write,
 * and with the next one after it was idle.
 */
export function createWriterWorker(path: string, options: WriterWorkerOptions = {}): WriterWorker {
  const { idleTime = IDLE_TIME, slices } = options;
  let worker: Worker | undefined;
  let waiting: PromiseWithResolvers<WriteOutcome>[] = [];
  let opening: Promise<void> | undefined;
  let isClosed = false;
  let idle: ReturnType<typeof setTimeout> | undefined;

  function stop(reason: string): void {
    worker?.terminate();
    worker = undefined;
    const unanswered = waiting;
    waiting = [];
    for (const { reject } of unanswered) reject(new Error(`The thread that writes ${reason}`));
  }

  async function ask(
    message: WriterMessage,
    transfer: Transferable[] = [],
  ): Promise<WriteOutcome> {
    if (isClosed) throw new Error("The thread that writes was ended");
    clearTimeout(idle);
    worker ??= startThread({ path, slices }, {
      take: (answer) => waiting.shift()?.resolve(answer),
      fail: (reason) => stop(`failed: ${reason}`),
    });
    worker.postMessage(message, transfer);
    const answer = Promise.withResolvers<WriteOutcome>();
    waiting.push(answer);
    try {
      return await answer.promise;
    } finally {
      if (waiting.length === 0 && message !== "close") waitForMore();
    }
  }

  async function open(): Promise<void> {
    // The next write reports what has failed.
    await ask("open").catch(() => {});
    opening = undefined;
  }

  function waitForMore(): void {
    clearTimeout(idle);
    idle = setTimeout(() => void endIdle(), idleTime);
    Deno.unrefTimer(idle);
  }

  /** Closes the file and ends the thread, unless there is something to write by then. */
  async function endIdle(): Promise<void> {
    if (worker === undefined || isClosed) return;
    await ask("close").catch(() => {});
    if (waiting.length === 0) stop("was ended");
  }

  return {
    open: () => worker === undefined ? opening ??= open() : opening,
    async write(writing) {
      const request = await toSent(writing);
      return valueOf(await ask({ request }, transferOf(request)));
    },
    ...askForSlices(ask),
    // If one of these fails, the log grows until the next time; the next write reports disk errors.
    copyLog: () => ask("copy log").then((answer) => Number(valueOf(answer))).catch(() => Infinity),
    cutLog: () => ask("cut log").then((answer) => valueOf(answer) === true).catch(() => false),
    async close() {
      const closing = worker === undefined || isClosed ? undefined : ask("close");
      // What came behind would open the file again, which may be deleted by then.
      isClosed = true;
      if (closing === undefined) return;
      const timer = setTimeout(() => stop("was ended"), CLOSING_TIME);
      try {
        valueOf(await closing);
      } finally {
        clearTimeout(timer);
        stop("was ended");
      }
    },
  };
}

type Ask = (message: WriterMessage, transfer?: Transferable[]) => Promise<WriteOutcome>;

function askForSlices(ask: Ask): Pick<WriterWorker, "attempt" | "begin" | "goOn" | "merge"> {
  // Sound because the thread answers with what the method of this name returned.
  const toOutcome = (answer: WriteOutcome) => valueOf(answer) as SliceOutcome;
  return {
    async attempt(commit) {
      const attempt = await toSentCommit(commit);
      return toOutcome(await ask({ attempt }, transferOf(attempt)));
    },
    async begin(commit) {
      const begin = await toSentCommit(commit);
      return toOutcome(await ask({ begin }, transferOf(begin)));
    },
    goOn: async (workspace, isAlone) => toOutcome(await ask({ goOn: workspace, isAlone })),
    // Sound for the same reason.
    merge: async () => valueOf(await ask("merge")) as boolean,
  };
}
