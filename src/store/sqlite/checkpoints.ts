/**
 * When the log is copied into the file and cut.
 *
 * @module
 */
import type { WriterWorker } from "./writer_thread.ts";

/** Transactions of the thread that serves after which the log is copied into the file: some thousand pages. */
const CHECKPOINT = 64;

export interface Checkpoints {
  /** Returns whether no write may begin. */
  isRunning(): boolean;
  /** Counts a write of the thread that serves; one in so many begins a checkpoint. */
  countWrite(): void;
  /** Begins one, unless readers see an earlier state; resolves once it is over. */
  run(): Promise<void>;
}

export interface WritePause {
  /** Lets no write begin from now on, and ends what is open. */
  readonly pause: () => void;
  readonly goOn: () => void;
  /** Returns whether the log cannot be copied, because readers see an earlier state. */
  readonly isHeld: () => boolean;
}

/**
 * Lets the other thread copy the log into the file: first beside writes, then, while none may
 * begin, what these have added, and then cut it. Otherwise the log is never copied completely and grows
 * as long as there are writes.
 */
export function createCheckpoints(
  { copyLog, cutLog }: WriterWorker,
  { pause, goOn, isHeld }: WritePause,
): Checkpoints {
  let writes = 0;
  let copying: Promise<void> | undefined;
  let isRunning = false;
  async function copy(): Promise<void> {
    await copyLog();
    isRunning = true;
    pause();
    await copyLog();
    await cutLog();
    isRunning = false;
    copying = undefined;
    writes = 0;
    goOn();
  }
  const run = () => isHeld() ? Promise.resolve() : copying ??= copy();
  return {
    isRunning: () => isRunning,
    countWrite() {
      if (++writes >= CHECKPOINT) void run();
    },
    run,
  };
}
