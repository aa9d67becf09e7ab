/**
 * Work that goes on beside requests as long as the server runs.
 *
 * @module
 */

export interface BackgroundOptions {
  /** Does a piece of work; false where there is none. */
  step(signal: AbortSignal): Promise<boolean> | boolean;
  /** Told what a step failed with. */
  onFailure(error: unknown): void;
}

export interface Background {
  start(): void;
  /** Ends what is being done, and settles once it has ended. */
  stop(): Promise<void>;
}

/** Milliseconds until somebody looks again for work. */
const IDLE = 1_000;
/** Milliseconds at most behind a step: one that took longer has waited for others. */
const LONGEST_REST = 1_000;
/** Milliseconds after a failure, and after the last of many in a row. */
const RECOVERY = 1_000;
const LONGEST_RECOVERY = 30_000;

/** Runs step after step. Each is followed by a rest as long as it took, so that requests come first. */
export function createBackground({ step, onFailure }: BackgroundOptions): Background {
  const stopped = new AbortController();
  let running: Promise<void> | undefined;
  let recovery = RECOVERY;

  async function run(): Promise<void> {
    const { signal } = stopped;
    while (!signal.aborted) {
      await rest(await stepOnce(signal), signal);
    }
  }

  /** One step; how long to rest behind it. */
  async function stepOnce(signal: AbortSignal): Promise<number> {
    const began = performance.now();
    try {
      const worked = await step(signal);
      recovery = RECOVERY;
      return worked ? Math.min(performance.now() - began, LONGEST_REST) : IDLE;
    } catch (error) {
      if (!signal.aborted) onFailure(error);
      const rest = recovery;
      recovery = Math.min(2 * recovery, LONGEST_RECOVERY);
      return rest;
    }
  }

  return {
    start: () => void (running ??= run()),
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const wake = () => resolve();
  signal.addEventListener("abort", wake);
  await promise;
  signal.removeEventListener("abort", wake);
  clearTimeout(timer);
}
