/**
 * The queue of writes: those of a workspace are done one after the other. Those that wait at the
 * same time share a transaction, if the store offers that.
 *
 * @module
 */
import type { Reply } from "../../http/endpoint.ts";
import type { PartWork, ShareTransaction } from "../../store/port.ts";
import { createKeyedMutex, type KeyedMutex } from "./keyed_mutex.ts";

/** The reply of a write that was committed. */
export interface Written {
  readonly reply: Reply;
  /** Settles when what the reply shows is on the disk or undone; undefined if it is there. */
  readonly durable: Promise<void> | undefined;
}

type Locked = () => Promise<Written | undefined>;

/** The two ways to do a write in its turn. */
export interface Write {
  /**
   * In transactions of its own, as often as it takes. After a conflict with another process it may
   * call `locked`, which does it once while no other process writes; undefined if that is
   * impossible.
   */
  readonly alone: (locked: Locked) => Promise<Written>;
  /** In a shared transaction, once; absent if others must not wait for it. */
  readonly shared?: PartWork<Written>;
}

/**
 * Does a write after all earlier ones of its workspace. Throws `service_unavailable` if that takes
 * too long.
 */
export interface WriteQueue extends Pick<KeyedMutex, "waits"> {
  (workspace: string, write: Write): Promise<Written>;
}

export interface WriteQueueOptions {
  /** Undefined: each write has transactions of its own. */
  readonly share: ShareTransaction | undefined;
  /** Called after a shared transaction was undone: versions come again with other content. */
  readonly onUndone: () => void;
  /** Default: as `createKeyedMutex()`. */
  readonly mutex?: KeyedMutex;
}

/** Maximum number of writes in one transaction: PostgreSQL tracks 64 savepoints cheaply. */
const MOST = 48;

/** A write in the queue of its workspace, until a shared transaction has tried it. */
interface Waiting {
  readonly work: PartWork<Written>;
  /** Resolves once the transaction that tries it has ended. */
  tried?: Promise<void>;
  /** Undefined if it was not tried, or is to be done alone. */
  outcome?: PromiseSettledResult<Written>;
}

const NEVER_LOCKED: Locked = () => Promise.resolve(undefined);

/** Creates the turns of this process. Other processes are not excluded. */
export function createWriteQueue(
  { share, onUndone, mutex = createKeyedMutex() }: WriteQueueOptions,
): WriteQueue {
  const queues = new Map<string, Set<Waiting>>();

  async function tryTogether(
    share: ShareTransaction,
    workspace: string,
    queue: Set<Waiting>,
  ): Promise<void> {
    const waiting = [...queue].slice(0, MOST);
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const one of waiting) one.tried = promise;
    try {
      const outcomes = await share(workspace, waiting.map(({ work }) => work));
      if (outcomes === undefined) onUndone();
      // Writes that were not begun stay in the queue.
      const tried = waiting.slice(0, outcomes?.length);
      for (const [index, one] of tried.entries()) settle(queue, one, outcomes?.[index]);
    } catch (reason) {
      onUndone();
      for (const one of waiting) settle(queue, one, { status: "rejected", reason });
    } finally {
      resolve();
    }
  }

  const take: (...args: Parameters<WriteQueue>) => Promise<Written> = async (
    workspace,
    { alone, shared },
  ) => {
    if (share === undefined || shared === undefined) {
      return await mutex(workspace, () => alone(NEVER_LOCKED));
    }
    const queue = queues.get(workspace) ?? new Set();
    queues.set(workspace, queue);
    const own: Waiting = { work: shared };
    queue.add(own);
    const locked: Locked = async () => {
      await tryTogether(share, workspace, new Set([own]));
      return own.outcome && valueOf(own.outcome);
    };
    try {
      return await mutex(workspace, async () => {
        if (queue.has(own) && queue.size > 1) await tryTogether(share, workspace, queue);
        return own.outcome === undefined ? await alone(locked) : valueOf(own.outcome);
      });
    } catch (error) {
      // It may have waited too long for its turn while a transaction of another turn tried it.
      await own.tried;
      if (own.outcome === undefined) throw error;
      return valueOf(own.outcome);
    } finally {
      queue.delete(own);
      if (queue.size === 0) queues.delete(workspace);
    }
  };
  return Object.assign(take, { waits: mutex.waits });
}

function settle(
  queue: Set<Waiting>,
  one: Waiting,
  outcome: PromiseSettledResult<Written | undefined> | undefined,
): void {
  queue.delete(one);
  if (outcome?.status === "rejected") one.outcome = outcome;
  else if (outcome?.value !== undefined) {
    one.outcome = { status: "fulfilled", value: outcome.value };
  }
}

function valueOf(outcome: PromiseSettledResult<Written>): Written {
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
