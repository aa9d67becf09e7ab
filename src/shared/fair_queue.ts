/**
 * A queue with bounded concurrency, fair between workspaces and between the users of each: whoever
 * queues many tasks delays only their own.
 *
 * @module
 */
import { AppError } from "./errors.ts";

/** The user on whose behalf a task runs. */
export interface QueueUser {
  readonly workspace: string;
  readonly userId: string;
}

export interface FairQueueOptions {
  /** How many tasks run at a time. */
  readonly concurrency: number;
  /** How many of them may belong to one workspace. */
  readonly perWorkspace: number;
  /** How many of them may belong to one user; default 1. */
  readonly perUser?: number;
  /** How many tasks of one user may wait. */
  readonly maxWaiting: number;
  /** Milliseconds that a task may wait. */
  readonly maxWait: number;
  /** Error message if a user has too many tasks waiting, or one has waited too long. */
  readonly busyMessage: string;
}

export interface FairQueue {
  /**
   * Runs the task when it is the user's turn. Workspaces take turns, and so do the users of each.
   * Rejects with `service_unavailable` if the user has too many tasks waiting, or if this one has
   * waited too long since `since` (monotonic milliseconds, default now).
   */
  run<T>(user: QueueUser, work: () => Promise<T>, since?: number): Promise<T>;
  /** Number of tasks that wait. */
  waiting(): number;
}

interface QueuedTask {
  readonly due: number;
  readonly start: () => Promise<void>;
  readonly reject: () => void;
}

/** How many tasks of a workspace or a user run now. */
interface Running {
  running: number;
}

interface UserQueue extends Running {
  readonly queue: QueuedTask[];
}

interface WorkspaceQueue extends Running {
  readonly users: Map<string, UserQueue>;
}

type Workspaces = Map<string, WorkspaceQueue>;
type Queues = readonly [WorkspaceQueue, UserQueue];

/** Creates an empty queue. */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { concurrency, perWorkspace, perUser = 1, maxWaiting, maxWait } = options;
  // In the order of their turns: whoever ran a task moves to the end.
  const workspaces: Workspaces = new Map();
  let running = 0;

  function next(): QueueUser | undefined {
    for (const [workspace, { running, users }] of workspaces) {
      if (running >= perWorkspace) continue;
      for (const [userId, { running, queue }] of users) {
        if (running < perUser && queue.length > 0) return { workspace, userId };
      }
    }
    return undefined;
  }

  function begin(): void {
    while (running < concurrency) {
      const user = next();
      if (user === undefined) return;
      const queues = queuesOf(workspaces, user);
      const task = queues[1].queue.shift();
      if (task === undefined || task.due < performance.now()) task?.reject();
      else void run(task, user, queues);
      deleteEmpty(workspaces, user, queues);
    }
  }

  async function run(
    task: QueuedTask,
    user: QueueUser,
    queues: Queues,
  ): Promise<void> {
    moveToEnd(workspaces, user, queues);
    for (const queue of queues) queue.running++;
    running++;
    await task.start();
    for (const queue of queues) queue.running--;
    running--;
    deleteEmpty(workspaces, user, queues);
    begin();
  }

  return {
    run: <T>(user: QueueUser, work: () => Promise<T>, since = performance.now()) => {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const [, { queue }] = queuesOf(workspaces, user);
      if (queue.length >= maxWaiting) return Promise.reject(busy(options));
      queue.push({
        due: since + maxWait,
        start: () => Promise.try(work).then(resolve, reject),
        reject: () => reject(busy(options)),
      });
      begin();
      return promise;
    },
    waiting: () => {
      let tasks = 0;
      for (const { users } of workspaces.values()) {
        for (const { queue } of users.values()) tasks += queue.length;
      }
      return tasks;
    },
  };
}

function queuesOf(workspaces: Workspaces, { workspace, userId }: QueueUser): Queues {
  const own = workspaces.getOrInsertComputed(workspace, () => ({ running: 0, users: new Map() }));
  return [own, own.users.getOrInsertComputed(userId, () => ({ running: 0, queue: [] }))];
}

function moveToEnd(
  workspaces: Workspaces,
  { workspace, userId }: QueueUser,
  [workspaceQueue, userQueue]: Queues,
): void {
  workspaceQueue.users.delete(userId);
  workspaceQueue.users.set(userId, userQueue);
  workspaces.delete(workspace);
  workspaces.set(workspace, workspaceQueue);
}

/** Deletes queues with neither waiting nor running tasks. */
function deleteEmpty(
  workspaces: Workspaces,
  { workspace, userId }: QueueUser,
  [{ users }, { running, queue }]: Queues,
): void {
  if (running === 0 && queue.length === 0) users.delete(userId);
  if (users.size === 0) workspaces.delete(workspace);
}

function busy({ busyMessage }: FairQueueOptions): AppError {
  return new AppError("service_unavailable", busyMessage, { headers: { "retry-after": "5" } });
}
