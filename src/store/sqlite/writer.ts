/**
 * Writing without blocking readers: short writes run at once in this thread, long ones in another.
 * Writes that arrive in the meantime wait in a queue.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";
import type { CommitOutcome, EarlyCommits } from "../port.ts";
import { createStoreMetrics, type StoreMetrics } from "../store_metrics.ts";
import { toWriting, type WriteRequest, type Writing } from "../writing.ts";
import { type CommitGroup, type CommitGroupOptions } from "./commit_group.ts";
import { leavesDoubt, mapDatabaseErrors } from "./failures.ts";
import type { DoWrite, WriteOutcome } from "./groups.ts";
import { toErrorData } from "../../shared/error_data.ts";
import { createWriteQueue, type Waiting } from "./write_queue.ts";
import { valueOf, type WriterWorker } from "./writer_thread.ts";

/** The result of a write. */
interface Sent {
  readonly value: unknown;
  /** Settles once it is on the disk or undone; undefined if it is there. */
  readonly durable: Promise<void> | undefined;
}

export interface Writer extends Writing {
  readonly early: EarlyCommits;
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
  /** Returns whether a write may take so long that it must not be made in this thread. */
  readonly isLong: (request: WriteRequest) => boolean;
  /** Creates the group of commits that share a transaction of this thread. */
  readonly createGroup: (options: CommitGroupOptions) => CommitGroup;
}

const CONFLICT: Sent = { value: "conflict" satisfies CommitOutcome, durable: undefined };
/**
 * With the turn of its workspace before it, a write is begun or refused before its request ends.
 */
const PATIENCE = 12_000;
/** Maximum number of writes in one transaction. */
const GROUP = 64;
/** Transactions of this thread after which the log is copied into the file: some thousand pages. */
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
  { thread, write, isLong, createGroup }: WriterParts,
  { patience = PATIENCE, metrics: { waits } = createStoreMetrics() }: WriterOptions = {},
): Writer {
  const queue = createWriteQueue<Pending>(GROUP);
  let current: readonly Pending[] = [];
  let isClosed = false;
  const checkpoints = createCheckpoints(thread, {
    pause: () => group.end(),
    goOn: () => void (isBusy() || next()),
  });
  const guard = createFailureGuard();
  const group = createGroup({ guard: guard.run, onCommit: checkpoints.countWrite });
  const writeHere = createOwnWrite({ write, guard, group, checkpoints });

  /** Resolves before the disk has the write; to a conflict if something was undone `since`. */
  async function send(request: WriteRequest, since?: number): Promise<Sent> {
    while (group.isFull()) await group.state.pending();
    if (since !== undefined && since !== group.state.undone()) return CONFLICT;
    if (isClosed) throw refusal("Server is stopping");
    const long = isLong(request);
    if (!isBusy() && !long) return writeHere(request);
    // The other thread waits for the lock of what is open.
    group.end();
    const answer = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => giveUp(pending), patience);
    const place = { workspace: workspaceOf(request), isLong: long };
    const pending: Pending = { ...place, request, answer, timer, since: performance.now() };
    queue.add(pending);
    if (!isBusy()) void next();
    return { value: await answer.promise, durable: undefined };
  }

  /** Returns whether the other thread is using the file. */
  function isBusy(): boolean {
    return current.length > 0 || checkpoints.isRunning();
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
    current.forEach(({ answer }, index) => settle(answer, guard, outcomes[index]));
    void next();
  }

  function giveUp(pending: Pending): void {
    queue.remove(pending);
    pending.answer.reject(refusal("Database is busy with a long change: try again"));
  }

  return {
    ...toWriting(async (request) => {
      const { value, durable } = await send(request);
      await durable;
      return value;
    }),
    early: toEarly(send, group),
    // A write under way is proof enough, and may be long.
    ping: async (...args) =>
      current.length > 0 ? undefined : void await send({ method: "ping", args }),
    close: async () => {
      isClosed = true;
      group.end();
      for (const { answer, timer } of queue.clear()) {
        clearTimeout(timer);
        answer.reject(refusal("Server is stopping"));
      }
      await thread.close();
    },
  };
}

/** Tells a write of the other thread what it returned or threw. */
function settle(
  { resolve, reject }: Pending["answer"],
  guard: FailureGuard,
  outcome: WriteOutcome | undefined,
): void {
  try {
    resolve(guard.run(() => valueOf(outcome)));
  } catch (error) {
    reject(error);
  }
}

interface OwnWriteParts extends Pick<WriterParts, "write"> {
  readonly guard: FailureGuard;
  readonly group: CommitGroup;
  readonly checkpoints: Checkpoints;
}

/** Writes in this thread: commits share transactions, and everything else has one of its own. */
function createOwnWrite(
  { write, guard, group, checkpoints }: OwnWriteParts,
): (request: WriteRequest) => Sent {
  return (request) => {
    const work = () => guard.run(() => write(request));
    if (request.method === "commit") return group.add(work);
    group.end();
    const value = work();
    checkpoints.countWrite();
    return { value, durable: undefined };
  };
}

/** Commits that resolve before the disk has them. */
function toEarly(
  send: (request: WriteRequest, since: number) => Promise<Sent>,
  { state, onUndone }: CommitGroup,
): EarlyCommits {
  return {
    state,
    onUndone,
    async apply(workspace, changes, { receipt, since }) {
      const args: WriteRequest<"commit">["args"] = [workspace, changes, receipt];
      const { value, durable } = await send({ method: "commit", args }, since);
      // Sound because a commit returns its outcome.
      return { outcome: value as CommitOutcome, durable };
    },
  };
}

interface FailureGuard {
  /** Does work, unless the disk or the file failed before. */
  run<T>(work: () => T): T;
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
  /** Returns whether no write may begin. */
  isRunning(): boolean;
  /** Counts a write of this thread; one in so many begins a checkpoint. */
  countWrite(): void;
}

interface WritePause {
  /** Lets no write begin from now on, and ends what is open. */
  readonly pause: () => void;
  readonly goOn: () => void;
}

/**
 * Lets the other thread copy the log into the file: first beside writes, then, while none may
 * begin, what these have added. Otherwise the log is never copied completely and grows as long as
 * there are writes.
 */
function createCheckpoints(
  { checkpoint }: WriterWorker,
  { pause, goOn }: WritePause,
): Checkpoints {
  let writes = 0;
  let isCopying = false;
  let isRunning = false;
  async function copy(): Promise<void> {
    isCopying = true;
    await checkpoint();
    isRunning = true;
    pause();
    await checkpoint();
    isCopying = isRunning = false;
    writes = 0;
    goOn();
  }
  return {
    isRunning: () => isRunning,
    countWrite() {
      if (++writes >= CHECKPOINT && !isCopying) void copy();
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
