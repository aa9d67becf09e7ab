/**
 * Checks storage for damage in the background: the structure of the database, then every document,
 * then every file.
 *
 * @module
 */
import type { DocumentKey } from "../store/document_check.ts";
import type { FileKey, StorageChecks } from "../store/port.ts";
import type { CheckResult, Damage, StorageHealth } from "./storage.ts";

export interface StorageCheckOptions {
  readonly store: Pick<StorageChecks, "checkDocuments">;
  /** Checks the structure, off the event loop; undefined if the database does that itself. */
  readonly checkStructure?: ((signal: AbortSignal) => Promise<readonly string[]>) | undefined;
  /** Checks the next files; undefined if the service does not store them itself. */
  readonly checkFiles?: CheckBatch<FileKey> | undefined;
  readonly health: Pick<StorageHealth, "recordDamaged" | "recordCheck" | "isDamaged">;
  /** Called when a check fails; it is retried. */
  readonly onFailure: (error: unknown) => void;
}

/** Checks the next batch, behind `after` or from the first; `next` is undefined at the end. */
type CheckBatch<Key> = (
  after: Key | undefined,
  limit: number,
) => Promise<{ readonly damaged: readonly Damage[]; readonly next: Key | undefined }>;

export interface StorageCheck {
  /**
   * Checks everything shortly after the start and then daily; more often while something is
   * damaged.
   */
  start(): void;
  /** Stops a running check; settles when it has ended. */
  stop(): Promise<void>;
}

/** Documents or files per batch; takes about a millisecond of the event loop. */
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
  { store, checkStructure, checkFiles, health }: Omit<StorageCheckOptions, "onFailure">,
  signal: AbortSignal,
): Promise<CheckResult> {
  const structure = await checkStructure?.(signal) ?? [];
  const batches = { health, signal };
  const documents = await checkInBatches<DocumentKey>(store.checkDocuments, batches);
  const files = checkFiles === undefined ? [] : await checkInBatches(checkFiles, batches);
  const result = { structure, documents, files };
  health.recordCheck(result);
  return result;
}

async function checkInBatches<Key>(
  check: CheckBatch<Key>,
  { health, signal }: Pick<StorageCheckOptions, "health"> & { readonly signal: AbortSignal },
): Promise<readonly Damage[]> {
  const found: Damage[] = [];
  let after: Key | undefined;
  do {
    const startedAt = performance.now();
    const { damaged, next } = await check(after, BATCH);
    damaged.forEach(health.recordDamaged);
    found.push(...damaged);
    after = next;
    if (!await pause(PAUSE + performance.now() - startedAt, signal)) signal.throwIfAborted();
  } while (after !== undefined);
  return found;
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
