/**
 * Administration of users, workspaces and the trash. Every method that changes something does
 * a bounded slice of it, so that no other writer waits long.
 *
 * @module
 */
import type { UserRecord } from "../../content/values/users.ts";

/** A user and the workspace it belongs to; the same person has one ID in all workspaces. */
export interface UserEntry extends UserRecord {
  readonly workspace: string;
}

/** The last user of a list. */
export type UserKey = Pick<UserEntry, "workspace" | "id">;

export interface UserAdministration {
  /** Returns the user as it is stored, with its pseudonym. */
  userRecord(workspace: string, id: string): Promise<UserRecord | undefined>;

  /** Returns users of all workspaces by workspace and ID, behind `after` or from the first. */
  listUsers(after: UserKey | undefined, limit: number): Promise<UserEntry[]>;

  /**
   * Replaces the name of a user by "Deleted user" and removes e-mail address, avatar and pseudonym.
   * Later tokens of this user change nothing. Returns false if there is no such user.
   */
  eraseUser(workspace: string, id: string, time: number): Promise<boolean>;

  /** Lets the next token of an erased user set its name again; false if none was erased. */
  allowUser(workspace: string, id: string): Promise<boolean>;

  /**
   * Deletes those of the next `limit` receipts behind `after` whose replies contain one of these
   * texts. Returns the key of the last one that it looked at; undefined after the last receipt.
   */
  eraseReceipts(
    workspace: string,
    texts: readonly string[],
    page: { readonly after: string; readonly limit: number },
  ): Promise<string | undefined>;
}

/** How much a workspace stores. Bytes are those of texts, vectors and files, without indexes. */
export interface WorkspaceUsage {
  readonly pages: number;
  readonly databases: number;
  readonly blocks: number;
  /** How many pages, databases and blocks are in the trash. */
  readonly trashed: number;
  readonly comments: number;
  readonly contentBytes: number;
  readonly users: number;
  readonly files: number;
  readonly fileBytes: number;
  readonly wordBytes: number;
  readonly vectorBytes: number;
  readonly receipts: number;
}

export interface WorkspaceAdministration {
  /** Returns the first workspace behind this name that stores anything. */
  nextWorkspace(after: string): Promise<string | undefined>;

  usage(workspace: string): Promise<WorkspaceUsage>;

  /**
   * Deletes up to `limit` rows of a workspace; returns how many. Files become leftovers, which a
   * sweep deletes.
   */
  deleteWorkspaceSlice(workspace: string, limit: number): Promise<number>;
}

/** A page, database or block that was deleted by itself, with everything below it. */
export interface TrashEntry {
  readonly id: string;
  readonly kind: "page" | "database" | "block";
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly trashedTime: number;
  readonly trashedBy: string;
  /** True if it is being deleted for good. */
  readonly isPurging: boolean;
}

export interface TrashAdministration {
  /** Returns the first workspace behind this name that has a trash. */
  nextTrash(after: string): Promise<string | undefined>;

  /** Returns entries by ID, behind `after`. */
  trashEntries(workspace: string, after: string, limit: number): Promise<TrashEntry[]>;

  /** Returns what is marked to be deleted for good, in any workspace. */
  purges(limit: number): Promise<PurgeKey[]>;

  /**
   * Marks a page, database or block to be deleted for good, and takes it to the trash if it is not
   * there. It cannot be restored from now on. Returns false if there is none with this ID.
   */
  beginPurge(workspace: string, id: string, edit: PurgeEdit): Promise<boolean>;

  /**
   * Deletes the next nodes below a marked one, the deepest first, with words, cells, links and the
   * use of files; at last the node itself. Returns how many nodes and parts of the index of words
   * it deleted: 0 once nothing is left. Files without uses expire at once.
   */
  purgeSlice(workspace: string, id: string, limit: number): Promise<number>;
}

/** The key of a node or workspace that is marked to be deleted for good. */
export interface PurgeKey {
  readonly workspace: string;
  readonly id: string;
}

/** When and by whom a page that was not in the trash is taken there. */
export interface PurgeEdit {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly by: string;
}

/** How many rows blocks of texts have. */
export interface BlockSizes {
  /** Rows that one block has at most; a property with fewer new ones waits for more. */
  readonly rows: number;
  /** Rows from which on a database has blocks. */
  readonly least: number;
}

/** A property of a database, whose texts stand side by side in blocks. */
export interface TextColumn {
  readonly workspace: string;
  readonly databaseId: string;
  readonly propertyId: string;
  /** False if its keys are not those of texts. */
  readonly hasTexts: boolean;
}

export interface SpaceAdministration {
  /** Returns the first workspace behind this name that has receipts, expired or not. */
  nextReceipts(after: string): Promise<string | undefined>;

  /** Deletes up to `limit` receipts that expired by `now`; returns how many. */
  expireReceipts(workspace: string, now: number, limit: number): Promise<number>;

  /**
   * Brings the words of some pages to the current analysis; returns a number above 0 if there may
   * be more.
   */
  reanalyseSlice(): Promise<number>;

  /** Returns the next property of any database that has cells, behind `after` or the first. */
  nextColumn(after: TextColumn | undefined): Promise<TextColumn | undefined>;

  /**
   * Seals one block of texts; returns how many rows it has, 0 if there is none to be sealed. `sizes`
   * do not change what queries find.
   */
  sealTexts(column: TextColumn, sizes?: BlockSizes): Promise<number>;

  /**
   * Frees a little of the space of removed words in a SQLite file; returns whether more is left.
   * May take long after nearly all words were removed. PostgreSQL does it by itself: false.
   */
  mergeWords(): Promise<boolean>;

  /**
   * Gives up to `limit` free pages of a SQLite file back to the disk; returns whether more is left.
   * PostgreSQL keeps them for other rows: false.
   */
  reclaimSpace(limit: number): Promise<boolean>;
}

/** Everything that an operator does with what is stored. */
export interface Administration
  extends UserAdministration, WorkspaceAdministration, TrashAdministration, SpaceAdministration {}
