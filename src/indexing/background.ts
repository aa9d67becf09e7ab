/**
 * Runs background work while the server runs.
 *
 * @module
 */

export interface BackgroundOptions {
  /** Does a piece of work; returns false if there is none. */
  step(signal: AbortSignal): Promise<boolean> | boolean;
  /** Called with the error of a failed step. */
  onFailure(error: unknown): void;
}

export interface Background {
  start(): void;
  /** Aborts the current step, and resolves when it has ended. */
  stop(): Promise<void>;
}

/** Milliseconds until the next look for work if there was none. */
const IDLE = 1_000;
/** Longest rest after a step, in milliseconds: a longer step has mostly waited for others. */
const LONGEST_REST = 1_000;
/** Milliseconds to wait after a failure: the first and the longest wait. */
const RECOVERY = 1_000;
const LONGEST_RECOVERY = 30_000;

/** Runs steps one by one. Each is followed by a rest as long as it took, so that requests come first. */
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

  /** Runs one step; returns how long to rest after it. */
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
