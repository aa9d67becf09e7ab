/**
 * The port of the database, by subject: callers take the smallest part that they need.
 * Every method names the workspace, and no method can see or change another one's rows. Each method
 * is one transaction.
 *
 * @module
 */
import type { Change } from "../content/schema/node.ts";
import type { Administration } from "./port/administration.ts";
import type { ApiKeyStore } from "./port/api_keys.ts";
import type { CommentReader } from "./port/comments.ts";
import type {
  CommitOutcome,
  EarlyCommits,
  NodeWriter,
  Receipt,
  ReceiptReader,
} from "./port/commits.ts";
import type { ContentReader } from "./port/content.ts";
import type { NodeReader } from "./port/nodes.ts";
import type { UsedProofStore } from "./port/proofs.ts";
import type { IndexQueue } from "./port/queue.ts";
import type { RowReader } from "./port/rows.ts";
import type { SecretStore, StorageChecks } from "./port/service.ts";
import type { TotalReader } from "./port/totals.ts";
import type { UploadReader } from "./port/uploads.ts";
import type { UserStore } from "./port/users.ts";
import type { VectorSpaceStore, VectorStore } from "./port/vectors.ts";
import type { TimelineReader, WordIndex } from "./port/words.ts";

export type * from "./port/administration.ts";
export type * from "./port/api_keys.ts";
export type * from "./port/comments.ts";
export type * from "./port/commits.ts";
export type * from "./port/content.ts";
export type * from "./port/nodes.ts";
export type * from "./port/proofs.ts";
export type * from "./port/queue.ts";
export type * from "./port/rows.ts";
export type * from "./port/service.ts";
export type * from "./port/totals.ts";
export type * from "./port/uploads.ts";
export type * from "./port/users.ts";
export type * from "./port/vectors.ts";
export type * from "./port/words.ts";

/** A store that shows commits before they are on the disk: an answer waits until they are. */
export interface EarlyStore extends EarlyCommits {
  /** The methods that read, which see everything that was applied. */
  readonly reading: Partial<Store>;
}

/** The part of one write in a transaction that several writes share. */
export interface TransactionPart {
  /** The methods that read, which see what earlier parts changed. */
  readonly reading: Partial<Store>;
  /** Like `commit()`; also a conflict if the changes need a transaction of their own. */
  commit(changes: readonly Change[], receipt?: Receipt): Promise<CommitOutcome>;
}

/** Decides and commits in its part; undefined undoes what the part changed. */
export type PartWork<T> = (part: TransactionPart) => Promise<T | undefined>;

/**
 * Does works one after the other in one transaction, while no other process changes the workspace.
 * What a work throws undoes its part alone. Resolves, once the transaction is on the disk, to the
 * outcomes of those that it began, which may be fewer than were given; to undefined if nothing
 * happened. Rejects if that is unknown.
 */
export type ShareTransaction = <T>(
  workspace: string,
  works: readonly PartWork<T>[],
) => Promise<readonly PromiseSettledResult<T | undefined>[] | undefined>;

/** The database of the service. */
export interface Store
  extends
    NodeReader,
    ContentReader,
    RowReader,
    NodeWriter,
    ReceiptReader,
    UploadReader,
    CommentReader,
    UserStore,
    ApiKeyStore,
    WordIndex,
    TimelineReader,
    IndexQueue,
    VectorSpaceStore,
    VectorStore,
    SecretStore,
    UsedProofStore,
    StorageChecks,
    TotalReader,
    Administration {
  /** The same database before the disk has it; undefined if nothing is visible before. */
  readonly early?: EarlyStore;
  /** Undefined if commits share a sync to the disk without it. */
  readonly shareTransaction?: ShareTransaction;
  close(): Promise<void>;
}
