/**
 * Jobs that go on after the request that began them: a few at once, and no more than a number wait.
 *
 * @module
 */

export interface BackgroundJobs {
  /** Runs a job as soon as there is room for it. Returns false if too many wait already. */
  add(job: (signal: AbortSignal) => Promise<void>): boolean;
  /** Resolves once no job runs or waits. */
  idle(): Promise<void>;
  /** Aborts the running jobs, drops the waiting ones, and waits for the end of the former. */
  stop(): Promise<void>;
}

export interface BackgroundJobOptions {
  readonly atOnce: number;
  readonly waiting: number;
  /** Called if a job rejects. */
  readonly onFailure: (error: unknown) => void;
}

/** Creates an empty queue. */
export function createBackgroundJobs(
  { atOnce, waiting: mostWaiting, onFailure }: BackgroundJobOptions,
): BackgroundJobs {
  const stopped = new AbortController();
  const running = new Set<Promise<void>>();
  const waiting: ((signal: AbortSignal) => Promise<void>)[] = [];
  const next = (): void => {
    if (running.size >= atOnce) return;
    const job = waiting.shift();
    if (job === undefined) return;
    const work = job(stopped.signal).catch((error) => {
      if (!stopped.signal.aborted) onFailure(error);
    }).finally(() => {
      running.delete(work);
      next();
    });
    running.add(work);
  };
  const idle = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    add(job) {
      if (stopped.signal.aborted || waiting.length >= mostWaiting) return false;
      waiting.push(job);
      next();
      return true;
    },
    idle,
    async stop() {
      stopped.abort();
      waiting.length = 0;
      await idle();
    },
  };
}
