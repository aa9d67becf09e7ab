/**
 * Writing without blocking readers: short writes run at once in this thread, long ones in another.
 * Writes that arrive in the meantime wait in a queue.
 *
 * @module
 */
import { createRest } from "../../shared/yield_to_event_loop.ts";
import type { CommitOutcome, EarlyCommits } from "../port.ts";
import { createStoreMetrics, type StoreMetrics } from "../store_metrics.ts";
import { toWriting, type WriteRequest, type Writing } from "../writing.ts";
import { type Checkpoints, createCheckpoints } from "./checkpoints.ts";
import type { CommitGroup, CommitGroupOptions } from "./commit_group.ts";
import { leavesDoubt, mapDatabaseErrors } from "./failures.ts";
import { createMerges } from "./merges.ts";
import { createWriteQueue, type Waiting } from "./write_queue.ts";
import { busy, stopping } from "./refusals.ts";
import { maySlice } from "./sliced_commits.ts";
import {
  createSlicedWrites,
  type FinishOptions,
  type Release,
  type SlicedWrites,
} from "./sliced_writes.ts";
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

export interface WriterOptions extends FinishOptions {
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
  /** Keeps what readers of a workspace see as it is, so that it may be changed in slices. */
  readonly hold: (workspace: string) => Promise<Release>;
  /** Refuses readers of a workspace: at once here, and elsewhere when this resolves. */
  readonly refuse: (workspace: string) => Promise<Release>;
  /** Workspaces with a commit that was interrupted: nobody may use them before it is finished. */
  readonly interrupted?: readonly string[];
  /** Returns the size of the log in bytes. */
  readonly logSize: () => number;
  /** Creates the group of commits that share a transaction of this thread. */
  readonly createGroup: (options: CommitGroupOptions) => CommitGroup;
}

const CONFLICT: Sent = { value: "conflict" satisfies CommitOutcome, durable: undefined };
/**
 * With the turn of its workspace before it, a write is begun or refused before its request ends.
 */
const PATIENCE = 12_000;
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
  { thread, write, isLong, hold, refuse, interrupted = [], logSize, createGroup }: WriterParts,
  { patience = PATIENCE, metrics: { waits } = createStoreMetrics(), ...options }: WriterOptions =
    {},
): Writer {
  const wake = (): void => void goOn();
  const queue = createPendingWrites({ patience, waits, held: interrupted, wake });
  let isClosed = false;
  const holds = createHolds(hold, { before: () => group.end(), behind: () => checkpoints.run() });
  const checkpoints = createCheckpoints(thread, {
    written: () => there.written(),
    pause: () => group.end(),
    goOn: wake,
    isHeld: holds.isAny,
    logSize,
  });
  const guard = createFailureGuard();
  const merges = createMerges(thread, (merge) => slices.inTurn(() => there.write(merge)));
  const counts = [checkpoints, merges];
  const onCommit = () => counts.forEach(({ countWrite }) => countWrite());
  const group = createGroup({ guard: guard.run, onCommit });
  const there = createThreadWrite(guard, () => {
    merges.countWrite();
    checkpoints.countLongWrite();
  });
  const slices = createSlicedWrites({
    goOn: (workspace, isAlone) => there.write(() => thread.goOn(workspace, isAlone)),
    hold: holds.hold,
    refuse,
    free: queue.release,
    wake,
    patience,
    ...options,
  });
  /** Returns whether the other thread is using the file. */
  const isBusy = () => there.isWriting() || checkpoints.isRunning();
  const writeHere = createOwnWrite({ write, guard, group, checkpoints, slices });
  const writeThere = createLongWrite({ thread, there, slices, hold: queue.hold });
  const goOn = createDispatch({ queue, slices, group, checkpoints, isBusy, writeHere, writeThere });

  for (const workspace of interrupted) void slices.finish(workspace);

  /** Resolves before the disk has the write; to a conflict if something was undone `since`. */
  async function send(request: WriteRequest, since?: number): Promise<Sent> {
    const long = isLong(request);
    const opening = long ? thread.open() : undefined;
    // Short writes go on until the other thread has started.
    if (opening !== undefined) await opening;
    while (group.isFull()) await group.state.pending();
    const isOutdated = () => since !== undefined && since !== group.state.undone();
    if (isOutdated()) return CONFLICT;
    if (isClosed) throw stopping();
    if (!long && !isBusy() && queue.isEmpty() && !queue.isHeld(workspaceOf(request))) {
      return writeHere(request);
    }
    const answer = queue.add({ request, isLong: long, isOutdated });
    wake();
    return await answer;
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
      slices.close();
      await thread.close();
    },
  };
}

/** Writes that wait for their turn, each for a limited time. */
interface PendingWrites {
  /** Settles once the write was taken and is answered, or has waited too long. */
  add(write: Delayed): Promise<Sent>;
  /** Returns the next write; with `isLongLater`, none that is long: those come first the next time. */
  take(isLongLater: boolean): Pending | undefined;
  /** Refuses all. */
  refuse(): void;
  isEmpty(): boolean;
  hold(workspace: string): void;
  release(workspace: string): void;
  isHeld(workspace: string): boolean;
}

interface PendingOptions extends Required<Pick<WriterOptions, "patience">> {
  readonly waits: StoreMetrics["waits"];
  readonly held: readonly string[];
  /** Called when some that were held may be taken. */
  readonly wake: () => void;
}

function createPendingWrites({ patience, waits, held, wake }: PendingOptions): PendingWrites {
  const queue = createWriteQueue<Pending>();
  const postponed: Pending[] = [];
  for (const workspace of held) queue.hold(workspace);
  function giveUp(pending: Pending): void {
    queue.remove(pending);
    pending.answer.reject(busy());
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
    take(isLongLater) {
      if (!isLongLater && postponed.length > 0) return postponed.shift();
      for (;;) {
        const next = queue.take();
        if (next === undefined) return undefined;
        clearTimeout(next.timer);
        waits.observe(performance.now() - next.since);
        if (!isLongLater || !next.isLong) return next;
        postponed.push(next);
      }
    },
    refuse() {
      for (const { answer, timer } of [...postponed.splice(0), ...queue.clear()]) {
        clearTimeout(timer);
        answer.reject(stopping());
      }
    },
    isEmpty: () => queue.isEmpty,
    hold: queue.hold,
    release(workspace) {
      queue.release(workspace);
      wake();
    },
    isHeld: queue.isHeld,
  };
}

interface OwnWriteParts extends Pick<WriterParts, "write"> {
  readonly guard: FailureGuard;
  readonly group: CommitGroup;
  readonly checkpoints: Checkpoints;
  readonly slices: SlicedWrites;
}

/** Writes in this thread: commits share transactions, and everything else has one of its own. */
function createOwnWrite(
  { write, guard, group, checkpoints, slices }: OwnWriteParts,
): (request: WriteRequest) => Sent {
  return (request) => {
    slices.noteWrite();
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
  /** Resolves once it does not write. */
  written(): Promise<void>;
  /** Lets the other thread write. */
  write<T>(make: () => Promise<T>): Promise<T>;
}

/** Writes in the other thread, with something to do behind each write. */
function createThreadWrite(
  guard: FailureGuard,
  behind: () => void,
): ThreadWrite {
  let writing: PromiseWithResolvers<void> | undefined;
  return {
    isWriting: () => writing !== undefined,
    written: () => writing?.promise ?? Promise.resolve(),
    async write(make) {
      const { resolve } = writing = Promise.withResolvers<void>();
      try {
        return await guard.run(make).catch((error) => guard.run(() => rethrow(error)));
      } finally {
        writing = undefined;
        resolve();
        behind();
      }
    },
  };
}

interface DispatchParts {
  readonly queue: PendingWrites;
  readonly slices: SlicedWrites;
  readonly group: CommitGroup;
  readonly checkpoints: Checkpoints;
  /** Returns whether the other thread is using the file. */
  readonly isBusy: () => boolean;
  readonly writeHere: (request: WriteRequest) => Sent;
  readonly writeThere: LongWrite;
}

/** Makes the writes that wait, one after the other, the short ones in this thread. */
function createDispatch(
  { queue, slices, group, checkpoints, isBusy, writeHere, writeThere }: DispatchParts,
): () => Promise<void> {
  async function make({ request, isLong, isOutdated, answer }: Pending): Promise<void> {
    try {
      // The other thread waits for the lock of what is open.
      if (isLong) group.end();
      if (isOutdated()) answer.resolve(CONFLICT);
      else if (isLong) await writeThere(request, answer);
      else answer.resolve(writeHere(request));
    } catch (error) {
      answer.reject(error);
    }
  }
  return async () => {
    const rest = createRest();
    while (!isBusy()) {
      const isCopying = checkpoints.isCopying();
      if (!isCopying && slices.isDue(!queue.isEmpty())) {
        group.end();
        await slices.next();
      } else {
        // A long write that waits for the other thread would hold up all others.
        const next = queue.take(isCopying);
        // The end of a copy begins this again.
        if (next === undefined) return isCopying ? undefined : slices.wakeLater();
        await make(next);
      }
      while (group.isFull()) await group.state.pending();
      await rest();
    }
  };
}

type LongWrite = (request: WriteRequest, answer: Pending["answer"]) => Promise<void>;

interface LongWriteParts extends Pick<WriterParts, "thread"> {
  readonly there: ThreadWrite;
  readonly slices: SlicedWrites;
  /** Lets nobody else write to a workspace. */
  readonly hold: (workspace: string) => void;
}

/**
 * Writes in the other thread. A commit that takes long is made in slices: then it is not done yet when
 * this resolves.
 */
function createLongWrite(
  { thread, there, slices, hold }: LongWriteParts,
): LongWrite {
  const toSent = (value: unknown): Sent => ({ value, durable: undefined });
  async function timed<T>(make: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await there.write(make);
    } finally {
      slices.noteLongWrite(performance.now() - began);
    }
  }
  return async (request, { resolve, reject }) => {
    if (request.method !== "commit" || !maySlice(request.args[1])) {
      return resolve(toSent(await timed(() => thread.write(request))));
    }
    const attempt = await timed(() => thread.attempt(request));
    if (attempt !== "unfinished") return resolve(toSent(attempt));
    const [workspace] = request.args;
    hold(workspace);
    slices.commit(workspace, () => there.write(() => thread.begin(request)))
      .then((outcome) => resolve(toSent(outcome)), reject);
  };
}

interface Holds {
  /** Returns whether readers see an earlier state, so that the log cannot be cut. */
  isAny(): boolean;
  readonly hold: WriterParts["hold"];
}

interface AroundHold {
  readonly before: () => void;
  readonly behind: () => Promise<void>;
}

/** Counts holds, and does something before and behind each. */
function createHolds(hold: WriterParts["hold"], { before, behind }: AroundHold): Holds {
  let holds = 0;
  return {
    isAny: () => holds > 0,
    async hold(workspace) {
      before();
      holds++;
      const release = await hold(workspace).catch((error) => {
        holds--;
        throw error;
      });
      return async () => {
        const { ended } = await release();
        void ended.then(() => {
          holds--;
          return behind();
        });
        return { ended };
      };
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

/** The queue of a write: its workspace, or one for all writes without a workspace. */
function workspaceOf({ args: [first] }: WriteRequest): string {
  return typeof first === "string" ? first : "";
}

function rethrow(error: unknown): never {
  throw error;
}
