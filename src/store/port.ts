/**
 * What the service asks of a database. Every method names the workspace, and no method can see or
 * change another one's rows. Each method is one transaction.
 *
 * @module
 */
import type { LinkSide } from "../content/databases/schema.ts";
import type { Change, Content, NodeDoc, NodeView } from "../content/node.ts";
import type { Gap } from "../content/position.ts";
import type { Place as RowPlace, RowQuery } from "../content/query/filter.ts";
import type { Leftover, Upload } from "../content/uploads.ts";
import type { User } from "../content/users.ts";

/** Where new children go among their siblings. */
export type Place = "start" | "end" | { readonly after: string };

/** The first answer to a request with an `Idempotency-Key`, kept with its effect. */
export interface Receipt {
  /** Hash of caller, route and key. */
  readonly key: string;
  /** Hash of the request's body. */
  readonly fingerprint: string;
  readonly status: number;
  readonly etag: string | null;
  readonly body: string;
  /** Milliseconds since the epoch, as is the end of its life. */
  readonly createdTime: number;
  readonly expiresTime: number;
}

export interface ChildrenOptions {
  /** Only children behind this position. */
  readonly after?: string;
  /** At most this many. */
  readonly limit: number;
}

/** A row of a database, and its place in the order of the query that found it. */
export interface FoundRow {
  readonly node: NodeView;
  readonly place: RowPlace;
}

/** The links of some rows on one side of a relation. */
export interface LinkQuery {
  readonly relationId: string;
  /** The side that the rows are on. */
  readonly side: LinkSide;
  readonly ids: readonly string[];
}

/** `conflict`: a version, a position, a parent or a receipt was not as expected; nothing happened. */
export type CommitOutcome = "committed" | "conflict";

export interface Store {
  /** The node, trashed or not; undefined where the workspace has none of this id. */
  node(workspace: string, id: string): Promise<NodeView | undefined>;

  /**
   * The version of the node alone: the cheapest way to learn whether what was made of it still
   * stands. Undefined where there is none of this id.
   */
  version(workspace: string, id: string): Promise<number | undefined>;

  /**
   * Children in order that share their parent's state: alive with it, or in the trash by the same
   * deletion. None where the parent is unknown.
   */
  children(workspace: string, parentId: string, options: ChildrenOptions): Promise<NodeView[]>;

  /**
   * All that is in a page or database, read at one moment: what shares its state, at any depth, but
   * not what is in the pages and databases among it. Undefined where there is none of this id.
   */
  content(workspace: string, id: string): Promise<Content | undefined>;

  /** Documents of those nodes of `content()` that show the names of others, in no order. */
  mentioning(workspace: string, id: string): Promise<NodeDoc[]>;

  /** Documents of those of these nodes that exist, trashed or not, in no order. */
  docs(workspace: string, ids: readonly string[]): Promise<NodeDoc[]>;

  /**
   * The gap among a parent's children, trashed ones counted (null parent: the workspace's top).
   * Undefined where `after` names no living child of that parent.
   */
  gap(workspace: string, parentId: string | null, place: Place): Promise<Gap | undefined>;

  /** Those of these nodes that exist, trashed or not, in no order. */
  nodes(workspace: string, ids: readonly string[]): Promise<NodeView[]>;

  /**
   * One page of a database's rows in the order of the query, by index wherever its filter is
   * selective or its first sort is kept. No field of the query is `computed`.
   */
  rows(workspace: string, query: RowQuery): Promise<FoundRow[]>;

  /**
   * Of each row that has any the living rows at the other end, in order: as they were given on the
   * side `from`, by id on the side `to`.
   */
  links(workspace: string, query: LinkQuery): Promise<Map<string, string[]>>;

  /** The last number given to a row of this database; 0 before the first. */
  lastNumber(workspace: string, databaseId: string): Promise<number>;

  /** Titles of those of these pages and databases that exist. */
  titles(workspace: string, ids: readonly string[]): Promise<Map<string, string>>;

  /**
   * Applies all changes in order, and keeps the receipt, or does nothing at all.
   * An unexpired receipt of the same key is a conflict.
   */
  commit(
    workspace: string,
    changes: readonly Change[],
    receipt?: Receipt,
  ): Promise<CommitOutcome>;

  /** The receipt of this key that has not expired at `now`. */
  receipt(workspace: string, key: string, now: number): Promise<Receipt | undefined>;

  /** Those of these uploads that are there, expired or not, in no order. */
  uploads(workspace: string, ids: readonly string[]): Promise<Upload[]>;

  /** What expired and superseded uploads left over, at most so many. */
  leftovers(workspace: string, limit: number): Promise<Leftover[]>;

  /**
   * The first workspace behind this name that has leftovers, or uploads that nothing refers to. The
   * one question about all workspaces: nobody else knows where to sweep.
   */
  sweepable(after: string): Promise<string | undefined>;

  user(workspace: string, id: string): Promise<User | undefined>;

  /** Those of these users that exist. */
  users(workspace: string, ids: readonly string[]): Promise<User[]>;

  /** Creates the user, or brings what its token says of it up to date. */
  saveUser(workspace: string, user: User): Promise<void>;

  /** A secret of the whole service, made on first use and the same for every process since. */
  secret(name: string): Promise<Uint8Array<ArrayBuffer>>;

  /** Answers when the database can be read and written; throws where it cannot. */
  ping(): Promise<void>;

  close(): Promise<void>;
}
