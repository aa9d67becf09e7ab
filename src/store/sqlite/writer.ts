/**
 * Writing beside those who read: whose turn it is, and how long anybody waits for it.
 *
 * @module
 */
import type { Change } from "../../content/node.ts";
import { AppError } from "../../errors.ts";
import { toWriting, type WriteRequest, type Writing } from "../writing.ts";
import { createWriteQueue, type Waiting } from "./write_queue.ts";
import { valueOf, type WriterThread } from "./writer_thread.ts";

export interface Writer extends Writing {
  /** Refuses what waits for its turn, and ends the thread. */
  close(): Promise<void>;
}

/** Milliseconds that a write waits for its turn. With the turn of its workspace it fits into a request. */
const PATIENCE = 12_000;
/** Milliseconds after which a long write under way is proof enough that the database can be written. */
const PING_PATIENCE = 500;
/** Writes that reach the disk together at most. */
const GROUP = 64;
/** Changes of a commit that others need not wait for. */
const SHORT = 100;
/** What may change any number of rows. */
const UNBOUNDED = new Set<Change["op"]>([
  ...["trash", "restore", "reshape", "fill", "clear", "unlink", "count"] as const,
]);

interface Pending extends Waiting {
  readonly request: WriteRequest;
  readonly answer: PromiseWithResolvers<unknown>;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Writes in this thread, group after group. */
export function createWriter(thread: WriterThread, patience = PATIENCE): Writer {
  const queue = createWriteQueue<Pending>(GROUP);
  let current: readonly Pending[] = [];
  let isClosed = false;
  let pinged: Promise<unknown> | undefined;

  function write(request: WriteRequest): Promise<unknown> {
    if (isClosed) return Promise.reject(refusal("Server is stopping"));
    const answer = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => giveUp(pending), patience);
    const pending: Pending = { ...costOf(request), request, answer, timer };
    queue.add(pending);
    if (current.length === 0) void next();
    return answer.promise;
  }

  async function next(): Promise<void> {
    current = queue.take();
    if (current.length === 0) return;
    for (const { timer } of current) clearTimeout(timer);
    try {
      const outcomes = await thread.write(current.map(({ request }) => request));
      current.forEach(({ answer }, index) => settle(answer, () => valueOf(outcomes[index])));
    } catch (error) {
      for (const { answer } of current) answer.reject(error);
    }
    void next();
  }

  function giveUp(pending: Pending): void {
    queue.remove(pending);
    pending.answer.reject(refusal("Database is busy with a long change: try again"));
  }

  /** Probes ask again and again, so they share one write. */
  async function ping(): Promise<void> {
    pinged ??= write({ method: "ping", args: [] }).finally(() => pinged = undefined);
    pinged.catch(() => {}); // who waits for it no longer need not know
    const { promise: isLate, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, PING_PATIENCE);
    await Promise.race([pinged, isLate]);
    clearTimeout(timer);
    if (!current.some(({ isLong }) => isLong)) await pinged;
  }

  return {
    ...toWriting(write),
    ping,
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

/** Whose write it is, and whether it may be long. */
function costOf({ method, args }: WriteRequest): Waiting {
  const [workspace = ""] = args;
  const isLong = method === "commit" &&
    (args[1].length > SHORT || args[1].some(({ op }) => UNBOUNDED.has(op)));
  return { workspace, isLong };
}

function settle({ resolve, reject }: Pending["answer"], work: () => unknown): void {
  try {
    resolve(work());
  } catch (error) {
    reject(error);
  }
}

function refusal(detail: string): AppError {
  return new AppError("service_unavailable", detail, { headers: { "retry-after": "5" } });
}
