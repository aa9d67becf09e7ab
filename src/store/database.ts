/**
 * A database, for the service and for commands.
 *
 * @module
 */
import type { Archive, Role } from "./copy/archive.ts";
import type { Findings } from "./document_check.ts";
import type { Migration } from "./migrate.ts";
import type { Store, UploadReader } from "./port.ts";
import type { StoreMetrics } from "./store_metrics.ts";
import type { WriteRequest } from "./writing.ts";

/** A store, and if several processes share its database, the clock that they share. */
export type ClockedStore = Store & { readonly now?: () => number };

export interface OpenOptions {
  /** Called from time to time while the search index is filled, with the number of pages so far. */
  readonly onProgress?: (pages: number) => void;
  /** Called with the reason if filling the search index is delayed. */
  readonly onDelay?: (reason: unknown) => void;
  /** Called with a sentence for the operator about the database. */
  readonly onNotice?: (notice: string) => void;
  /**
   * Called if a change of a workspace that was interrupted is not finished, so that nobody can read or
   * write the workspace, each time that it fails.
   */
  readonly onUnfinished?: (workspace: string, reason: unknown) => void;
  /**
   * Lets other processes that read the same SQLite file hold a workspace; resolves, once they do, to
   * what releases it.
   */
  readonly holdElsewhere?: ((workspace: string) => Promise<() => Promise<void>>) | undefined;
  /**
   * True if others may serve from the same SQLite file who do not hold workspaces: then each commit is
   * one transaction.
   */
  readonly sharesFile?: boolean;
  /** Filled by the store with what it measures. */
  readonly metrics?: StoreMetrics;
  /** Number of vectors up to which a space is scanned instead of indexed in the database. */
  readonly mostScanned: number;
}

/** The store of a process that only reads, and how it holds workspaces that are changed in slices. */
export interface ReaderStore {
  readonly store: Store;
  readonly holds: WorkspaceHolds;
}

export interface WorkspaceHolds {
  /**
   * From now on, readers of a workspace see it as it is, or as it was if it is held already. Resolves
   * once no read that began before is under way.
   */
  hold(workspace: string): Promise<void>;
  /** Refuses to read a workspace: what it was before is not known. */
  refuse(workspace: string): void;
  /**
   * From now on, readers see what has changed meanwhile. Resolves once nobody reads what it was before.
   */
  release(workspace: string): Promise<void>;
}

export interface Database {
  /** Opens the store, with its schema brought up to date. */
  openStore(options: OpenOptions): Promise<ClockedStore>;

  /**
   * Opens the store of a process that only reads and sends its few writes, such as new users, to the
   * one that writes; undefined if any number of processes may write.
   */
  readonly openReader?: (
    write: (request: WriteRequest) => Promise<unknown>,
    options?: Pick<OpenOptions, "metrics">,
  ) => Promise<ReaderStore>;

  /**
   * Opens the store for a command that runs beside the server: it does no work in the background. Fills
   * an empty database with the schema; rejects with `OperatorError` if the schema is older.
   */
  openCommandStore(): Promise<Store>;

  /** Opens the database for a copy; rejects with `OperatorError` if a source holds nothing. */
  openArchive(role: Role): Promise<Archive>;

  /** Returns what `migrate()` would run, in order, and changes nothing. */
  planMigrations(): Promise<readonly Migration[]>;

  /** Brings the schema up to date: runs all missing migrations or none, and returns them. */
  migrate(): Promise<readonly Migration[]>;

  /**
   * Adds what is damaged to the findings, and calls `checkFiles` with what reads the records of files.
   * False if the schema is older than this release.
   */
  verify(
    findings: Findings,
    checkFiles: (read: UploadReader["fileRecords"]) => Promise<void>,
  ): Promise<boolean>;

  /**
   * Overwrites what deleted and changed users and receipts left in the files of the database, while it
   * is used. Returns what is left and why, as sentences.
   */
  scrub(): Promise<readonly string[]>;

  /**
   * Gives back the space of deleted rows: a SQLite file is written anew, which needs the server to be
   * stopped. PostgreSQL uses the space for other rows.
   */
  vacuum(): Promise<void>;

  /** A Worker module that checks the structure of this file; undefined if the server does it itself. */
  readonly structureCheck: { readonly module: string; readonly path: string } | undefined;
}
