/**
 * Writing without blocking readers: short writes run at once in this thread, long ones in another.
 * Writes that arrive in the meantime wait in a queue.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";
import { createRest } from "../../shared/yield_to_event_loop.ts";
import type { CommitOutcome, EarlyCommits } from "../port.ts";
import { createStoreMetrics, type StoreMetrics } from "../store_metrics.ts";
import { toWriting, type WriteRequest, type Writing } from "../writing.ts";
import type { CommitGroup, CommitGroupOptions } from "./commit_group.ts";
import { leavesDoubt, mapDatabaseErrors } from "./failures.ts";
import { createWriteQueue, type Waiting } from "./write_queue.ts";
import type { DoWrite } from "./write_outcome.ts";
import type { WriterWorker } from "./writer_thread.ts";

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
/** Transactions of this thread after which the log is copied into the file: some thousand pages. */
const CHECKPOINT = 64;

/** A write that has to wait. */
interface Delayed {
  readonly request: WriteRequest;
  /** True if it may take long, so that the other thread makes it. */
  readonly isLong: boolean;
  /** Returns whether something was undone that it was decided on. */
  readonly isOutdated: () => boolean;
}

interface Pending extends Delayed, Waiting {
  readonly answer: PromiseWithResolvers<Sent>;
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
  const queue = createPendingWrites(patience, waits);
  let isClosed = false;
  const checkpoints = createCheckpoints(thread, {
    pause: () => group.end(),
    goOn: () => void goOn(),
  });
  const guard = createFailureGuard();
  const group = createGroup({ guard: guard.run, onCommit: checkpoints.countWrite });
  const writeHere = createOwnWrite({ write, guard, group, checkpoints });
  const there = createThreadWrite(thread, guard);

  /** Resolves before the disk has the write; to a conflict if something was undone `since`. */
  async function send(request: WriteRequest, since?: number): Promise<Sent> {
    const long = isLong(request);
    const opening = long ? thread.open() : undefined;
    // Short writes go on until the other thread has started.
    if (opening !== undefined) await opening;
    while (group.isFull()) await group.state.pending();
    const isOutdated = () => since !== undefined && since !== group.state.undone();
    if (isOutdated()) return CONFLICT;
    if (isClosed) throw refusal("Server is stopping");
    if (!long && !isBusy() && queue.isEmpty()) return writeHere(request);
    const answer = queue.add({ request, isLong: long, isOutdated });
    void goOn();
    return await answer;
  }

  /** Returns whether the other thread is using the file. */
  function isBusy(): boolean {
    return there.isWriting() || checkpoints.isRunning();
  }

  /** Makes the writes that wait, the short ones in this thread. */
  async function goOn(): Promise<void> {
    const rest = createRest();
    while (!isBusy()) {
      const next = queue.take();
      if (next === undefined) return;
      await make(next);
      while (group.isFull()) await group.state.pending();
      await rest();
    }
  }

  async function make({ request, isLong, isOutdated, answer }: Pending): Promise<void> {
    try {
      // The other thread waits for the lock of what is open.
      if (isLong) group.end();
      if (isOutdated()) answer.resolve(CONFLICT);
      else answer.resolve(isLong ? await there.write(request) : writeHere(request));
    } catch (error) {
      answer.reject(error);
    }
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
      there.isWriting() ? undefined : void await send({ method: "ping", args }),
    close: async () => {
      isClosed = true;
      group.end();
      queue.refuse();
      await thread.close();
    },
  };
}

/** Writes that wait for their turn, each for a limited time. */
interface PendingWrites {
  /** Settles once the write was taken and is answered, or has waited too long. */
  add(write: Delayed): Promise<Sent>;
  take(): Pending | undefined;
  /** Refuses all. */
  refuse(): void;
  isEmpty(): boolean;
}

function createPendingWrites(patience: number, waits: StoreMetrics["waits"]): PendingWrites {
  const queue = createWriteQueue<Pending>();
  function giveUp(pending: Pending): void {
    queue.remove(pending);
    pending.answer.reject(refusal("Database is busy with a long change: try again"));
  }
  return {
    add(write) {
      const answer = Promise.withResolvers<Sent>();
      const timer = setTimeout(() => giveUp(pending), patience);
      const workspace = workspaceOf(write.request);
      const pending: Pending = { ...write, workspace, answer, timer, since: performance.now() };
      queue.add(pending);
      return answer.promise;
    },
    take() {
      const next = queue.take();
      if (next === undefined) return undefined;
      clearTimeout(next.timer);
      waits.observe(performance.now() - next.since);
      return next;
    },
    refuse() {
      for (const { answer, timer } of queue.clear()) {
        clearTimeout(timer);
        answer.reject(refusal("Server is stopping"));
      }
    },
    isEmpty: () => queue.isEmpty,
  };
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

interface ThreadWrite {
  isWriting(): boolean;
  write(request: WriteRequest): Promise<Sent>;
}

/** Writes in the other thread. */
function createThreadWrite(thread: WriterWorker, guard: FailureGuard): ThreadWrite {
  let isWriting = false;
  return {
    isWriting: () => isWriting,
    async write(request) {
      isWriting = true;
      try {
        const writing = guard.run(() => thread.write(request));
        const value = await writing.catch((error) => guard.run(() => rethrow(error)));
        await thread.cutLog();
        return { value, durable: undefined };
      } finally {
        isWriting = false;
      }
    },
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
 * begin, what these have added, and then cut it. Otherwise the log is never copied completely and grows
 * as long as there are writes.
 */
function createCheckpoints(
  { copyLog, cutLog }: WriterWorker,
  { pause, goOn }: WritePause,
): Checkpoints {
  let writes = 0;
  let isCopying = false;
  let isRunning = false;
  async function copy(): Promise<void> {
    isCopying = true;
    await copyLog();
    isRunning = true;
    pause();
    await copyLog();
    await cutLog();
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

/** The queue of a write: its workspace, or one for all writes without a workspace. */
function workspaceOf({ args: [first] }: WriteRequest): string {
  return typeof first === "string" ? first : "";
}

function rethrow(error: unknown): never {
  throw error;
}

function refusal(detail: string): AppError {
  return new AppError("service_unavailable", detail, { headers: { "retry-after": "5" } });
}
