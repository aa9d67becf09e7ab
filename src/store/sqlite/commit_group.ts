/**
 * Commits that share one transaction, and so one sync to the disk: those that arrive in turns of
 * the event loop without a pause.
 *
 * @module
 */
import { setImmediate } from "node:timers";
import type { VisibleState } from "../../shared/durable.ts";
import type { Connection, OpenTransaction } from "./connection.ts";

/** The result of a write, and a promise that it is on the disk. */
export interface Applied<T> {
  readonly value: T;
  /** Rejects if the write was undone, because the shared transaction failed. */
  readonly durable: Promise<void>;
}

export interface CommitGroup {
  /** The transaction that is open, for those who read what it changed. */
  readonly state: VisibleState;
  /** Calls back each time that the open transaction is undone. */
  onUndone(listen: () => void): void;
  /**
   * Returns whether no more writes join the open transaction: try again once it is `pending()` no
   * more.
   */
  isFull(): boolean;
  /** Does a write at once, as a part of the open transaction. What it throws concerns it alone. */
  add<T>(write: () => T): Applied<T>;
  /** Commits the open transaction, if there is one. Never throws. */
  end(): void;
}

export interface CommitGroupOptions {
  /** Commits; may map or remember what is thrown. */
  readonly guard: <T>(work: () => T) => T;
  /** Called after each commit that reached the disk. */
  readonly onCommit: () => void;
  /** Replaces `LIMITS`; does not change the results. */
  readonly limits?: GroupLimits;
}

/** How large a transaction becomes. */
export interface GroupLimits {
  /** Maximum number of writes. */
  readonly writes: number;
  /** Milliseconds after which no further write joins. */
  readonly time: number;
  /** Milliseconds to wait for as many writes as the last transaction had. */
  readonly wait: number;
}

// Waiting takes no longer than the sync that it may save.
const LIMITS: GroupLimits = { writes: 64, time: 16, wait: 2 };

interface Open {
  readonly transaction: OpenTransaction;
  readonly outcome: PromiseWithResolvers<void>;
  /** Settles like `outcome`, but never rejects. */
  readonly ended: Promise<void>;
  readonly started: number;
  writes: number;
}

/** A wait for as many writes as the last transaction had. */
interface Wait {
  /** Returns false if there are as many. */
  begin(writes: number): boolean;
  /** Ends the wait if there are as many now; returns false if it goes on, or there is none. */
  endsWith(writes: number): boolean;
  /** Ends the wait, and begins none for this transaction: a reader waits for its end. */
  cancel(): boolean;
  /** Ends the wait, and expects as many for the next transaction. */
  expect(writes: number): void;
}

/** Clients whose writes were answered together send the next ones at the same time. */
function createWait(time: number, onLate: () => void): Wait {
  let expected = 0;
  let isCancelled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  function stop(): boolean {
    const isOn = timer !== undefined;
    clearTimeout(timer);
    timer = undefined;
    return isOn;
  }
  return {
    begin(writes) {
      if (isCancelled || writes >= expected) return false;
      timer ??= setTimeout(onLate, time);
      return true;
    },
    endsWith: (writes) => writes >= expected && stop(),
    cancel() {
      isCancelled = true;
      return stop();
    },
    expect(writes) {
      stop();
      isCancelled = false;
      expected = writes;
    },
  };
}

/** Creates a group on the connection that writes in this thread. */
export function createCommitGroup(
  { begin }: Pick<Connection, "begin">,
  { guard, onCommit, limits = LIMITS }: CommitGroupOptions,
): CommitGroup {
  const listeners: (() => void)[] = [];
  let open: Open | undefined;
  let undone = 0;
  // After a failure writes are alone until one succeeds, so that none is undone with another.
  let isCautious = false;
  const wait = createWait(limits.wait, end);

  function enter(): Open {
    const transaction = guard(() => begin(end));
    setImmediate(endUnlessGrowing, 0);
    return openGroup(transaction);
  }

  function close(group: Open, work: () => void): void {
    open = undefined;
    wait.expect(group.writes);
    try {
      work();
      group.outcome.resolve();
    } catch (error) {
      undone++;
      isCautious = true;
      for (const listen of listeners) listen();
      group.outcome.reject(error);
    }
  }

  function end(): void {
    if (open === undefined) return;
    const { transaction } = open;
    close(open, () => {
      guard(() => transaction.commit());
      onCommit();
    });
  }

  /** Goes on while each turn of the event loop brings commits, then waits for those expected. */
  function endUnlessGrowing(before: number): void {
    if (open === undefined) return;
    const { writes } = open;
    if (isFull()) end();
    else if (writes > before) setImmediate(endUnlessGrowing, writes);
    else if (!wait.begin(writes)) end();
  }

  const isFull = () => open !== undefined && reaches(open, limits);

  function pending(): Promise<void> | undefined {
    if (open !== undefined && wait.cancel()) setImmediate(endUnlessGrowing, open.writes);
    return open?.ended;
  }

  return {
    state: { undone: () => undone, pending },
    onUndone: (listen) => void listeners.push(listen),
    isFull,
    add(write) {
      if (isCautious) {
        const value = write();
        isCautious = false;
        onCommit();
        return { value, durable: Promise.resolve() };
      }
      const group = open ??= enter();
      if (wait.endsWith(++group.writes)) setImmediate(endUnlessGrowing, group.writes);
      try {
        return { value: write(), durable: group.outcome.promise };
      } catch (error) {
        // Some failures end the whole transaction: what came before is undone too.
        if (!group.transaction.isOpen()) close(group, () => rethrow(error));
        throw error;
      }
    },
    end,
  };
}

function openGroup(transaction: OpenTransaction): Open {
  const outcome = Promise.withResolvers<void>();
  const ended = outcome.promise.catch(() => {});
  return { transaction, outcome, ended, started: performance.now(), writes: 0 };
}

function reaches({ writes, started }: Open, limits: GroupLimits): boolean {
  return writes >= limits.writes || performance.now() - started > limits.time;
}

function rethrow(error: unknown): never {
  throw error;
}
