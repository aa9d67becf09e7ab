/**
 * Runs background work while the server runs.
 *
 * @module
 */

export interface BackgroundOptions {
  /** Does a piece of work; returns false if there is none. */
  step(signal: AbortSignal): Promise<boolean> | boolean;
  /** Returns whether requests wait for each other, so that a step should wait for them. */
  isBusy(): boolean;
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
/** Milliseconds between two looks whether requests still wait for each other. */
const PAUSE = 20;
/** Number of these pauses after which a step is made nevertheless, so that none waits for ever. */
const MOST_PAUSES = 12;
/** Milliseconds to wait after a failure: the first and the longest wait. */
const RECOVERY = 1_000;
const LONGEST_RECOVERY = 30_000;

/**
 * Runs steps one by one. Each is followed by a rest as long as it took, and by a further one while
 * requests wait for each other, so that they come first.
 */
export function createBackground({ step, isBusy, onFailure }: BackgroundOptions): Background {
  const stopped = new AbortController();
  let running: Promise<void> | undefined;
  let recovery = RECOVERY;

  async function run(): Promise<void> {
    const { signal } = stopped;
    while (!signal.aborted) {
      await rest(await stepOnce(signal), signal);
      for (let pauses = 0; pauses < MOST_PAUSES && isBusy(); pauses++) await rest(PAUSE, signal);
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
