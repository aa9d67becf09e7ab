/**
 * Jobs that go on after the request that began them: a few at once, in turns of workspaces and of the
 * users of each, and no more than a number of each user wait.
 *
 * @module
 */
import { createFairQueue, type FairQueueOptions, type QueueUser } from "../shared/fair_queue.ts";

export interface BackgroundJobs {
  /**
   * Runs a job as soon as it is the user's turn. Returns false if too many jobs of the user wait
   * already.
   */
  add(user: QueueUser, job: (signal: AbortSignal) => Promise<void>): boolean;
  /** Resolves once no job runs or waits. */
  idle(): Promise<void>;
  /** Aborts the running jobs, drops the waiting ones, and waits for the end of the former. */
  stop(): Promise<void>;
}

export interface BackgroundJobOptions
  extends Pick<FairQueueOptions, "concurrency" | "perWorkspace" | "perUser" | "maxWaiting"> {
  /** Called if a job rejects. */
  readonly onFailure: (error: unknown) => void;
}

/** Creates an empty queue. */
export function createBackgroundJobs(
  { onFailure, maxWaiting, ...limits }: BackgroundJobOptions,
): BackgroundJobs {
  const stopped = new AbortController();
  const unfinished = new Set<Promise<void>>();
  const waiting = createCounts();
  const queue = createFairQueue({
    ...limits,
    // Refused before they are queued, and nobody waits for their results.
    maxWaiting: Infinity,
    maxWait: Infinity,
    busyMessage: "",
  });
  const idle = async (): Promise<void> => {
    while (unfinished.size > 0) await Promise.all(unfinished);
  };
  return {
    add(user, job) {
      if (stopped.signal.aborted || waiting.of(user) >= maxWaiting) return false;
      waiting.add(user, 1);
      const work = queue.run(user, async () => {
        waiting.add(user, -1);
        if (!stopped.signal.aborted) await job(stopped.signal);
      }).catch((error) => {
        if (!stopped.signal.aborted) onFailure(error);
      }).finally(() => unfinished.delete(work));
      unfinished.add(work);
      return true;
    },
    idle,
    async stop() {
      stopped.abort();
      await idle();
    },
  };
}

/** Numbers of jobs by user; a user without any takes no memory. */
interface Counts {
  of(user: QueueUser): number;
  add(user: QueueUser, count: number): void;
}

function createCounts(): Counts {
  const counts = new Map<string, number>();
  const keyOf = ({ workspace, userId }: QueueUser) => JSON.stringify([workspace, userId]);
  const of = (user: QueueUser) => counts.get(keyOf(user)) ?? 0;
  return {
    of,
    add(user, count) {
      const sum = of(user) + count;
      if (sum === 0) counts.delete(keyOf(user));
      else counts.set(keyOf(user), sum);
    },
  };
}
