/**
 * The housekeeping of a running service: it deletes expired receipts, what has been in the trash
 * for long enough, and what an interrupted purge left. It also counts the files.
 *
 * @module
 */
import type { Administration, PurgeEdit, TotalReader, UploadKey } from "../store/port.ts";
import {
  allOf,
  expireReceipts,
  mergeWords,
  purge,
  reanalyse,
  reclaimSpace,
  type Rest,
  sealTexts,
  trashOf,
} from "./slices.ts";

export interface HousekeepingOptions {
  readonly store: Administration & TotalReader;
  /** Milliseconds that pages stay in the trash; `Infinity` keeps them. */
  readonly retention: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when a round fails; the next one tries again. */
  readonly onFailure: (error: unknown) => void;
}

export interface Housekeeping {
  /** Begins with a round in a minute, then one every few minutes. */
  start(): void;
  /** Stops after the current slice. */
  stop(): Promise<void>;
  /** Files of the last round; undefined before the first one. */
  readonly files: FileTotals | undefined;
}

export interface FileTotals {
  readonly files: number;
  readonly bytes: number;
}

const FIRST = 60_000;
const INTERVAL = 5 * 60_000;
/** Deletions by the service itself. */
const OWN_EDIT: Omit<PurgeEdit, "time"> = { by: "" };

/** Creates the rounds. Any number of processes may do them on one database. */
export function createHousekeeping(options: HousekeepingOptions): Housekeeping {
  const stopped = new AbortController();
  const rest = createRest(stopped.signal);
  let running = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let files: FileTotals | undefined;

  async function round(): Promise<void> {
    files = await countFiles(options.store, rest);
    await keepHouse(options, rest);
  }

  function schedule(delay: number): void {
    timer = setTimeout(() => {
      running = round().catch(report).then(() => {
        if (!stopped.signal.aborted) schedule(INTERVAL);
      });
    }, delay);
    Deno.unrefTimer(timer);
  }

  function report(error: unknown): void {
    if (!stopped.signal.aborted) options.onFailure(error);
  }

  return {
    start: () => schedule(FIRST),
    stop: async () => {
      stopped.abort();
      clearTimeout(timer);
      await running;
    },
    get files() {
      return files;
    },
  };
}

/** Uploads of one portion: a millisecond of work. */
const PORTION = 500;

/** Counts the files of all workspaces and their bytes, portion by portion. */
export async function countFiles(store: TotalReader, rest: Rest): Promise<FileTotals> {
  let files = 0;
  let bytes = 0;
  let after: UploadKey | undefined;
  do {
    const began = performance.now();
    const portion = await store.filePortion(after, PORTION);
    files += portion.files;
    bytes += portion.bytes;
    after = portion.last;
    await rest(performance.now() - began);
  } while (after !== undefined);
  return { files, bytes };
}

interface KeepOptions extends Pick<HousekeepingOptions, "retention" | "now"> {
  readonly store: Administration;
}

/**
 * Deletes what one round deletes. What fails, as for a workspace that is busy, does not keep the rest;
 * the first failure is thrown at the end.
 */
export async function keepHouse(
  { store, retention, now }: KeepOptions,
  rest: Rest,
): Promise<void> {
  const failures: unknown[] = [];
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failures.push(error);
      // Rejects if the round is to stop.
      await rest(0);
    }
  };
  const edit = () => ({ ...OWN_EDIT, time: now() });
  for await (const workspace of allOf(store.nextReceipts)) {
    await attempt(() => expireReceipts(store, workspace, now(), rest));
  }
  for (const { workspace, id } of await store.purges(MOST_PURGES)) {
    await attempt(() => purge(store, { workspace, id, edit: edit() }, rest));
  }
  if (retention !== Infinity) {
    for await (const workspace of allOf(store.nextTrash)) {
      const expiry = { workspace, before: now() - retention, edit };
      await attempt(() => purgeExpired(store, expiry, rest));
    }
  }
  for (const work of [reanalyse, mergeWords, reclaimSpace, sealTexts]) {
    await attempt(() => work(store, rest));
  }
  if (failures.length > 0) throw failures[0];
}

/** Purges of one round that others began; the next round has the rest. */
const MOST_PURGES = 100;

interface Expiry {
  readonly workspace: string;
  /** Milliseconds since the epoch. */
  readonly before: number;
  readonly edit: () => PurgeEdit;
}

/** Deletes what came into the trash before this time. */
async function purgeExpired(
  store: Administration,
  { workspace, before, edit }: Expiry,
  rest: Rest,
): Promise<void> {
  for await (const { id, trashedTime } of trashOf(store, workspace)) {
    await rest(0);
    if (trashedTime > before) continue;
    await purge(store, { workspace, id, edit: edit() }, rest);
  }
}

/** Longest rest, in milliseconds: a longer slice has mostly waited for others. */
const LONGEST_REST = 1_000;

/** Rests as long as the work took, so that others come first. */
function createRest(signal: AbortSignal): Rest {
  return async (took) => {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, Math.min(took, LONGEST_REST)));
    signal.throwIfAborted();
  };
}
