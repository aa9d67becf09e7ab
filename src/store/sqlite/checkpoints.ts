/**
 * When the log is copied into the file and cut.
 *
 * @module
 */
import { LOG_SIZE } from "./connection.ts";
import type { WriterWorker } from "./writer_thread.ts";

/** Transactions after which the log is copied into the file: some thousand pages if they are short. */
const CHECKPOINT = 64;

/** Pages that may be copied while no write begins, 64 MB. A reader that keeps more is waited for. */
const REST = 16_000;

/**
 * Copies beside writes. SQLite syncs the file at the end of one if nothing was written meanwhile: hardly
 * of the first, which may take long, but of a short one behind it. Else the pause would have to wait for
 * the sync.
 */
const PASSES = 3;

export interface Checkpoints {
  /** Returns whether no write may begin. */
  isRunning(): boolean;
  /** Returns whether the other thread copies: a write that it is given meanwhile holds up all others. */
  isCopying(): boolean;
  /** Counts a short write; one in so many begins a checkpoint. */
  countWrite(): void;
  /** Counts a write of any length; if the log is large, begins a checkpoint. */
  countLongWrite(): void;
  /** Begins one, unless readers see an earlier state; resolves once it is over. */
  run(): Promise<void>;
}

export interface WritePause {
  /** Resolves once the other thread has made the write that it was given. */
  readonly written: () => Promise<void>;
  /** Lets no write begin from now on, and ends what is open. */
  readonly pause: () => void;
  readonly goOn: () => void;
  /** Returns whether the log cannot be copied, because readers see an earlier state. */
  readonly isHeld: () => boolean;
  /** Returns the size of the log in bytes. */
  readonly logSize: () => number;
}

/**
 * Lets the other thread copy the log into the file: first beside writes, then, while none may
 * begin, what these have added, and then cut it. Otherwise the log is never copied completely and grows
 * as long as there are writes. A large one is cut a part at a time, with writes in between.
 */
export function createCheckpoints(
  { copyLog, cutLog }: Pick<WriterWorker, "copyLog" | "cutLog">,
  { written, pause, goOn, isHeld, logSize }: WritePause,
): Checkpoints {
  let writes = 0;
  let copying: Promise<void> | undefined;
  let isRunning = false;
  async function copy(): Promise<number> {
    let rest = 0;
    for (let pass = 0; pass < PASSES; pass++) rest = await copyLog();
    return rest;
  }
  async function copyAndCut(): Promise<void> {
    // Its message may still be on its way, and would hold up all others behind the copy.
    await written();
    let isLarge: boolean;
    do {
      isLarge = await copy() <= REST && await cut();
      if (!isLarge) copying = undefined;
      goOn();
    } while (isLarge);
    writes = 0;
  }
  async function cut(): Promise<boolean> {
    isRunning = true;
    pause();
    const isLarge = await cutLog();
    isRunning = false;
    return isLarge;
  }
  const run = () => isHeld() ? Promise.resolve() : copying ??= copyAndCut();
  const countWrite = (): void => {
    if (++writes >= CHECKPOINT) void run();
  };
  return {
    isRunning: () => isRunning,
    isCopying: () => copying !== undefined,
    countWrite,
    countLongWrite: () => logSize() > LOG_SIZE ? void run() : countWrite(),
    run,
  };
}
