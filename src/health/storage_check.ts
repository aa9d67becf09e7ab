/**
 * Checks storage for damage in the background: the structure of the database, then every document.
 *
 * @module
 */
import type { DocumentKey } from "../store/document_check.ts";
import type { StorageChecks } from "../store/port.ts";
import type { CheckResult, StorageHealth } from "./storage.ts";

export interface StorageCheckOptions {
  readonly store: Pick<StorageChecks, "checkDocuments">;
  /** Checks the structure, off the event loop; undefined if the database does that itself. */
  readonly checkStructure?: ((signal: AbortSignal) => Promise<readonly string[]>) | undefined;
  readonly health: Pick<StorageHealth, "recordDamaged" | "recordCheck" | "isDamaged">;
  /** Called when a check fails; it is retried. */
  readonly onFailure: (error: unknown) => void;
}

export interface StorageCheck {
  /**
   * Checks everything shortly after the start and then daily; more often while something is
   * damaged.
   */
  start(): void;
  /** Stops a running check; settles when it has ended. */
  stop(): Promise<void>;
}

/** Documents per batch; takes about a millisecond of the event loop. */
const BATCH = 100;
/**
 * Milliseconds between two batches, plus the time of the last one, so that requests take
 * precedence.
 */
const PAUSE = 20;
/** Milliseconds until the first check, so as not to slow the start. */
const DELAY = 5_000;
/** Milliseconds between two checks. */
const INTERVAL = 24 * 3_600_000;
/** Milliseconds between two checks while something is damaged, or while checks fail. */
const RECHECK = 10 * 60_000;
/** Milliseconds between two tests whether a check is due. */
const TICK = 60_000;

export function createStorageCheck(options: StorageCheckOptions): StorageCheck {
  const stopped = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    const { signal } = stopped;
    let isGoing = await pause(DELAY, signal);
    while (isGoing) {
      const isChecked = await checkAll(options, signal).then(() => true, (error) => {
        if (!signal.aborted) options.onFailure(error);
        return false;
      });
      isGoing = await untilDue(isChecked, signal);
    }
  }

  async function untilDue(isChecked: boolean, signal: AbortSignal): Promise<boolean> {
    for (let waited = TICK; await pause(TICK, signal); waited += TICK) {
      if (waited >= (isChecked && !options.health.isDamaged() ? INTERVAL : RECHECK)) return true;
    }
    return false;
  }

  return {
    start: () => void (running ??= run()),
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

/** Checks everything once; records damage as it is found. */
export async function checkAll(
  { store, checkStructure, health }: Omit<StorageCheckOptions, "onFailure">,
  signal: AbortSignal,
): Promise<CheckResult> {
  const structure = await checkStructure?.(signal) ?? [];
  const documents: DocumentKey[] = [];
  let after: DocumentKey | undefined;
  do {
    const startedAt = performance.now();
    const { damaged, next } = await store.checkDocuments(after, BATCH);
    damaged.forEach(health.recordDamaged);
    documents.push(...damaged);
    after = next;
    if (!await pause(PAUSE + performance.now() - startedAt, signal)) signal.throwIfAborted();
  } while (after !== undefined);
  const result = { structure, documents };
  health.recordCheck(result);
  return result;
}

/** Waits; returns false if the signal aborted. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const wake = () => resolve();
  signal.addEventListener("abort", wake, { once: true });
  await promise;
  signal.removeEventListener("abort", wake);
  clearTimeout(timer);
  return !signal.aborted;
}
