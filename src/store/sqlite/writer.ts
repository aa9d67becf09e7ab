/**
 * Writing without blocking readers: short writes run at once in this thread, long ones in another. Writes
 * that arrive in the meantime wait in a queue.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";
import { createStoreMetrics, type StoreMetrics } from "../store_metrics.ts";
import { toWriting, type WriteRequest, type Writing } from "../writing.ts";
import { leavesDoubt, mapDatabaseErrors } from "./failures.ts";
import type { DoWrite, WriteOutcome } from "./groups.ts";
import { toErrorData } from "../../shared/error_data.ts";
import { createWriteQueue, type Waiting } from "./write_queue.ts";
import { valueOf, type WriterWorker } from "./writer_thread.ts";

export interface Writer extends Writing {
  /** Rejects waiting writes and ends the thread. */
  close(): Promise<void>;
}

export interface WriterOptions {
  /** Milliseconds that a write waits for its turn before it is refused. */
  readonly patience?: number;
  readonly metrics?: StoreMetrics;
}

export interface WriterParts {
  readonly thread: WriterWorker;
  /** Writes in this thread. */
  readonly write: DoWrite;
  /** Whether a write may take so long that it must not be made in this thread. */
  readonly isLong: (request: WriteRequest) => boolean;
}

/** With the turn of its workspace before it, a write is begun or refused before its request ends. */
const PATIENCE = 12_000;
/** Maximum number of writes in one transaction. */
const GROUP = 64;
/** Writes of this thread after which the log is copied into the file: about a thousand pages. */
const CHECKPOINT = 64;

interface Pending extends Waiting {
  readonly request: WriteRequest;
  readonly answer: PromiseWithResolvers<unknown>;
  readonly timer: ReturnType<typeof setTimeout>;
  /** Monotonic milliseconds. */
  readonly since: number;
}

/**
 * INVARIANT: this thread writes only while the other one does not, so neither waits for the other's
 * lock.
 */
export function createWriter(
  { thread, write, isLong }: WriterParts,
  { patience = PATIENCE, metrics: { waits } = createStoreMetrics() }: WriterOptions = {},
): Writer {
  const queue = createWriteQueue<Pending>(GROUP);
  let current: readonly Pending[] = [];
  let isClosed = false;
  const checkpoints = createCheckpoints(thread, () => void next());
  const guard = createFailureGuard();

  async function send(request: WriteRequest): Promise<unknown> {
    if (isClosed) throw refusal("Server is stopping");
    const long = isLong(request);
    if (!isBusy() && !long) return writeHere(request);
    const answer = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => giveUp(pending), patience);
    const pending: Pending = {
      workspace: workspaceOf(request),
      isLong: long,
      request,
      answer,
      timer,
      since: performance.now(),
    };
    queue.add(pending);
    if (!isBusy()) void next();
    return await answer.promise;
  }

  /** Whether the other thread is using the file. */
  function isBusy(): boolean {
    return current.length > 0 || checkpoints.isRunning();
  }

  function writeHere(request: WriteRequest): unknown {
    const answer = guard.run(() => write(request));
    checkpoints.countWrite();
    return answer;
  }

  async function next(): Promise<void> {
    current = queue.take();
    if (current.length === 0) return;
    for (const { timer, since } of current) {
      clearTimeout(timer);
      waits.observe(performance.now() - since);
    }
    // After a failure they are refused because of it.
    const requests = guard.hasFailed() ? [] : current.map(({ request }) => request);
    const outcomes = await writeIn(thread, requests);
    current.forEach(({ answer: { resolve, reject } }, index) => {
      try {
        resolve(guard.run(() => valueOf(outcomes[index])));
      } catch (error) {
        reject(error);
      }
    });
    void next();
  }

  function giveUp(pending: Pending): void {
    queue.remove(pending);
    pending.answer.reject(refusal("Database is busy with a long change: try again"));
  }

  return {
    ...toWriting(send),
    // A write under way is proof enough, and may be long.
    ping: async (...args) =>
      current.length > 0 ? undefined : void await send({ method: "ping", args }),
    close: async () => {
      isClosed = true;
      for (const { answer, timer } of queue.clear()) {
        clearTimeout(timer);
        answer.reject(refusal("Server is stopping"));
      }
      await thread.close();
    },
  };
}

interface FailureGuard {
  /** Does work, unless the disk or the file failed before. */
  run(work: () => unknown): unknown;
  hasFailed(): boolean;
}

function createFailureGuard(): FailureGuard {
  let failure: { readonly cause: unknown } | undefined;
  return {
    run: (work) =>
      mapDatabaseErrors(() => {
        if (failure !== undefined) throw failure.cause;
        try {
          return work();
        } catch (error) {
          if (leavesDoubt(error)) failure = { cause: error };
          throw error;
        }
      }),
    hasFailed: () => failure !== undefined,
  };
}

interface Checkpoints {
  isRunning(): boolean;
  /** Counts a write of this thread; one in so many begins a checkpoint. */
  countWrite(): void;
}

/**
 * Lets the other thread copy the log into the file. No write may begin until it is done: otherwise the
 * log is never copied completely and grows as long as there are writes.
 */
function createCheckpoints({ checkpoint }: WriterWorker, onEnd: () => void): Checkpoints {
  let writes = 0;
  let isRunning = false;
  return {
    isRunning: () => isRunning,
    countWrite() {
      if (++writes < CHECKPOINT) return;
      writes = 0;
      isRunning = true;
      void checkpoint().then(() => {
        isRunning = false;
        onEnd();
      });
    },
  };
}

/** Writes a group in the other thread; never rejects. */
async function writeIn(
  thread: WriterWorker,
  group: readonly WriteRequest[],
): Promise<readonly WriteOutcome[]> {
  if (group.length === 0) return [];
  try {
    return await thread.write(group);
  } catch (error) {
    return group.map(() => ({ thrown: toErrorData(error) }));
  }
}

/** The queue of a write: its workspace, or one for all writes without a workspace. */
function workspaceOf({ args: [first] }: WriteRequest): string {
  return typeof first === "string" ? first : "";
}

function refusal(detail: string): AppError {
  return new AppError("service_unavailable", detail, { headers: { "retry-after": "5" } });
}
