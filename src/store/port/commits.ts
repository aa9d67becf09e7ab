/**
 * Changes of content, and the receipts that are stored with them.
 *
 * @module
 */
import type { Change } from "../../content/schema/node.ts";
import type { VisibleState } from "../../shared/durable.ts";

/** The first reply to a request with an `Idempotency-Key`, stored with the effect of the request. */
export interface Receipt {
  /** Hash of caller, route and key. */
  readonly key: string;
  /** Hash of the request's body. */
  readonly fingerprint: string;
  readonly status: number;
  readonly etag: string | null;
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly createdTime: number;
  /** Milliseconds since the epoch. */
  readonly expiresTime: number;
}

/** `conflict`: a version, position, parent or receipt was not as expected, and nothing happened. */
export type CommitOutcome = "committed" | "conflict";

export interface NodeWriter {
  /**
   * Applies all changes in order and stores the receipt, or does nothing at all.
   * An unexpired receipt of the same key is a conflict.
   */
  commit(
    workspace: string,
    changes: readonly Change[],
    receipt?: Receipt,
  ): Promise<CommitOutcome>;
}

/** The outcome of a commit that may not be on the disk yet. */
export interface AppliedCommit {
  readonly outcome: CommitOutcome;
  /** Resolves once the commit is on the disk; rejects if it was undone. Undefined if it is there. */
  readonly durable: Promise<void> | undefined;
}

/** Commits that are visible before they are on the disk, so that several of them share one sync. */
export interface EarlyCommits {
  readonly state: VisibleState;
  /** Calls back each time that something is undone. */
  onUndone(listen: () => void): void;
  /**
   * Like `commit()`, but resolves as soon as this process sees the changes. A conflict if something
   * was undone after the decision began, when `undone()` of the state was `since`.
   */
  apply(
    workspace: string,
    changes: readonly Change[],
    options: { readonly receipt: Receipt | undefined; readonly since: number },
  ): Promise<AppliedCommit>;
}

export interface ReceiptReader {
  /** Returns the receipt of this key, unless it has expired at `now`. */
  receipt(workspace: string, key: string, now: number): Promise<Receipt | undefined>;
}
