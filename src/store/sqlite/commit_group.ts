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
}

/** Maximum number of writes in one transaction. */
const WRITES = 64;
/** Milliseconds after which no further write joins. */
const TIME = 8;

interface Open {
  readonly transaction: OpenTransaction;
  readonly outcome: PromiseWithResolvers<void>;
  /** Settles like `outcome`, but never rejects. */
  readonly ended: Promise<void>;
  readonly started: number;
  writes: number;
}

/** Creates a group on the connection that writes in this thread. */
export function createCommitGroup(
  { begin }: Pick<Connection, "begin">,
  { guard, onCommit }: CommitGroupOptions,
): CommitGroup {
  const listeners: (() => void)[] = [];
  let open: Open | undefined;
  let undone = 0;
  // After a failure each write has a transaction of its own until one succeeds, so that none is
  // undone because of another.
  let isCautious = false;

  function enter(): Open {
    const transaction = guard(() => begin(end));
    const outcome = Promise.withResolvers<void>();
    const ended = outcome.promise.catch(() => {});
    setImmediate(endUnlessGrowing, 0);
    return { transaction, outcome, ended, started: performance.now(), writes: 0 };
  }

  function close(group: Open, work: () => void): void {
    open = undefined;
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

  /** Goes on for as long as each turn of the event loop brings more commits. */
  function endUnlessGrowing(before: number): void {
    if (open === undefined) return;
    if (open.writes === before || isFull()) end();
    else setImmediate(endUnlessGrowing, open.writes);
  }

  function isFull(): boolean {
    return open !== undefined &&
      (open.writes >= WRITES || performance.now() - open.started > TIME);
  }

  function addAlone<T>(write: () => T): Applied<T> {
    const value = write();
    isCautious = false;
    onCommit();
    return { value, durable: Promise.resolve() };
  }

  return {
    state: { undone: () => undone, pending: () => open?.ended },
    onUndone: (listen) => void listeners.push(listen),
    isFull,
    add(write) {
      if (isCautious) return addAlone(write);
      const group = open ??= enter();
      group.writes++;
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

function rethrow(error: unknown): never {
  throw error;
}
