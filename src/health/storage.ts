/**
 * What is known to be wrong with storage, from failed requests and from checks.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import type { DocumentKey } from "../store/document_check.ts";
import type { Store } from "../store/port.ts";

export interface StorageHealth {
  /** Takes note of a failure with this code and cause, if storage was the reason. */
  recordFailure(failure: StorageFailure): void;
  /** Takes note of a damaged document. */
  recordDamaged(document: DocumentKey): void;
  /** Replaces what was known of damage by what a whole check found. */
  recordCheck(found: CheckResult): void;
  /** Resolves if the database can be used now; rejects with an error that names what is wrong. */
  ping(): Promise<void>;
  /** How many stored documents are known to be damaged. */
  damagedDocuments(): number;
  /** Whether anything is known to be damaged. */
  isDamaged(): boolean;
}

export interface StorageFailure {
  /** An error code of ours. */
  readonly code: string | null;
  /** What was caught. */
  readonly error: unknown;
}

/** What a check found. */
export interface CheckResult {
  /** What is wrong with the structure of the database, a sentence each. */
  readonly structure: readonly string[];
  readonly documents: readonly DocumentKey[];
}

export interface StorageHealthOptions {
  readonly store: Pick<Store, "ping">;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Milliseconds between two writes that ask a full disk for space, however often health is asked for. */
const PROBE_INTERVAL = 1_000;

/** Documents that are told of one by one; more than these say no more. */
const MAX_DOCUMENTS = 1_000;

/** Starts with nothing known to be wrong. */
export function createStorageHealth({ store, log, now }: StorageHealthOptions): StorageHealth {
  const damaged = new Set<string>();
  let structure: unknown;
  let isFull = false;
  let probe = { at: -Infinity, done: Promise.resolve() };

  function noteDamaged({ workspace, id }: DocumentKey): void {
    const key = JSON.stringify([workspace, id]);
    if (damaged.has(key) || damaged.size >= MAX_DOCUMENTS) return;
    damaged.add(key);
    log.event("error", "A stored document is damaged: restore it from a backup", { workspace, id });
  }

  /** A database that reported to be full must take some bytes before it counts as well again. */
  async function writeProbe(): Promise<void> {
    await store.ping({ takesSpace: true });
    isFull = false;
  }

  return {
    recordFailure({ code, error }) {
      if (code === "storage_full") isFull = true;
      if (code !== "data_corrupted") return;
      if (isDocumentKey(error)) noteDamaged(error);
      else structure = error;
    },
    recordDamaged: noteDamaged,
    recordCheck(found) {
      damaged.clear();
      found.documents.forEach(noteDamaged);
      structure = found.structure.length === 0 ? undefined : new Error(found.structure.join("; "));
      if (structure !== undefined) {
        log.event("error", "The database is damaged: restore it from a backup", {
          findings: found.structure,
        });
      }
    },
    async ping() {
      if (structure !== undefined) {
        throw new AppError("data_corrupted", "Storage is damaged", { cause: structure });
      }
      if (!isFull) return await store.ping();
      if (Math.abs(now() - probe.at) >= PROBE_INTERVAL) probe = { at: now(), done: writeProbe() };
      await probe.done;
    },
    damagedDocuments: () => damaged.size,
    isDamaged: () => damaged.size > 0 || structure !== undefined,
  };
}

/** Of an error from another thread only the members are left. */
function isDocumentKey(cause: unknown): cause is DocumentKey {
  return cause instanceof Error && "workspace" in cause && "id" in cause &&
    typeof cause.workspace === "string" && typeof cause.id === "string";
}
