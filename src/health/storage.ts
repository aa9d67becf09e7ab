/**
 * The health of storage, from failed requests and from checks.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import type { DocumentKey } from "../store/document_check.ts";
import type { StorageChecks } from "../store/port.ts";

export interface StorageHealth {
  /** Records a failed request, if storage was the cause. */
  recordFailure(failure: StorageFailure): void;
  /** Records a damaged document or file. */
  recordDamaged(damage: Damage): void;
  /** Replaces all recorded damage by the result of a full check. */
  recordCheck(result: CheckResult): void;
  /** Rejects with the reason if the database is not usable. */
  ping(): Promise<void>;
  /** Returns the number of documents and files known to be damaged. */
  damagedDocuments(): number;
  /** Returns whether this document or file is known to be damaged. */
  isKnownDamaged(key: DocumentKey): boolean;
  /** Returns whether anything is known to be damaged. */
  isDamaged(): boolean;
}

export interface StorageFailure {
  /** The error code. */
  readonly code: string | null;
  /** The original error. */
  readonly error: unknown;
}

/** The result of a full check. */
export interface CheckResult {
  /** Issues of the database structure, one sentence each. */
  readonly structure: readonly string[];
  readonly documents: readonly DocumentKey[];
  readonly files: readonly Damage[];
}

export interface StorageHealthOptions {
  readonly store: Pick<StorageChecks, "ping">;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Minimum milliseconds between two write probes of a full disk. */
const PROBE_INTERVAL = 1_000;

/** Maximum number of damaged documents and files to record. */
const MAX_DOCUMENTS = 1_000;

/** Creates the health state; nothing is wrong at first. */
export function createStorageHealth({ store, log, now }: StorageHealthOptions): StorageHealth {
  const damaged = new Set<string>();
  let structure: unknown;
  let isFull = false;
  let probe = { at: -Infinity, done: Promise.resolve() };

  function noteDamaged(damage: Damage): void {
    const key = nameOf(damage);
    if (damaged.has(key) || damaged.size >= MAX_DOCUMENTS) return;
    damaged.add(key);
    const { workspace, id, issue } = damage;
    const subject = issue === undefined
      ? "A stored document is damaged"
      : `The file of an upload ${issue}`;
    log.event("error", `${subject}: restore it from a backup`, { workspace, id });
  }

  /** After the disk was full, a write must succeed before the database counts as healthy. */
  async function writeProbe(): Promise<void> {
    await store.ping({ takesSpace: true });
    isFull = false;
  }

  return {
    recordFailure({ code, error }) {
      if (code === "storage_full") isFull = true;
      if (code !== "data_corrupted") return;
      if (isDamage(error)) noteDamaged(error);
      else structure = error;
    },
    recordDamaged: noteDamaged,
    recordCheck(result) {
      damaged.clear();
      [...result.documents, ...result.files].forEach(noteDamaged);
      structure = result.structure.length === 0
        ? undefined
        : new Error(result.structure.join("; "));
      if (structure !== undefined) {
        log.event("error", "The database is damaged: restore it from a backup", {
          findings: result.structure,
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
    isKnownDamaged: (key) => damaged.has(nameOf(key)),
    isDamaged: () => damaged.size > 0 || structure !== undefined,
  };
}

function nameOf({ workspace, id }: DocumentKey): string {
  return JSON.stringify([workspace, id]);
}

/** A damaged document, or a damaged file with its issue. */
export interface Damage extends DocumentKey {
  readonly issue?: string | undefined;
}

/**
 * Returns whether a cause names a damaged document or file. Compares members, because an error from
 * a Worker loses its class.
 */
export function isDamage(cause: unknown): cause is Damage {
  return cause instanceof Error && "workspace" in cause && "id" in cause &&
    typeof cause.workspace === "string" && typeof cause.id === "string" &&
    (!("issue" in cause) || typeof cause.issue === "string");
}
