/**
 * What the service asks of a database. Every method names the workspace, and no method can see or
 * change another one's rows. Each method is one transaction.
 *
 * @module
 */
import type { LinkSide } from "../content/schema/property.ts";
import type { ComputeBudget } from "../content/formulas/compute_budget.ts";
import type { Change, Content, NodeDoc, NodeView } from "../content/schema/node.ts";
import type { Gap } from "../content/values/position.ts";
import type { RowCursor as RowPlace, RowQuery } from "../content/query/filter.ts";
import type { Leftover, Upload } from "../content/values/uploads.ts";
import type { ToldUser, User } from "../content/values/users.ts";
import type { Phrase } from "../search/text/query.ts";
import type { DocumentCheck, DocumentKey } from "./document_check.ts";
import type { VectorStore } from "./vector_port.ts";

/** Where new children go among their siblings. */
export type SiblingPosition = "start" | "end" | { readonly after: string };

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
  readonly cursor: RowPlace;
}

/** What a long query heeds. */
export interface Pacing {
  /** Settles when the query may go on: others are served meanwhile. Rejects where it may not. */
  pause(): Promise<void>;
  /** One unit for each row that is looked at, and for each condition and sort on it. */
  readonly work: ComputeBudget;
}

/** The links of some rows on one side of a relation. */
export interface LinkQuery {
  readonly relationId: string;
  /** The side that the rows are on. */
  readonly side: LinkSide;
  readonly ids: readonly string[];
}

/** Which pages and databases are looked at; the whole workspace where nothing is said. */
export interface SearchWithin {
  readonly kind?: "page" | "database";
  /** What they hang from. */
  readonly parentId?: string;
  /** What they are below, at any depth. */
  readonly ancestorId?: string;
}

/** Pages and databases by their words. */
export interface WordQuery {
  /** At least one, or a scope that is not the whole workspace. */
  readonly phrases: readonly Phrase[];
  /** Whether all phrases must occur in a page, wherever in it, or any. */
  readonly match: "all" | "any";
  readonly scope: SearchWithin;
  /** Whether titles alone are looked at. */
  readonly inTitle?: boolean;
  /** Only numbers from here on. */
  readonly from?: number;
  /** Only numbers below. */
  readonly before?: number;
  /** At most this many parts of pages; of a page that is found further parts may be left out. */
  readonly limit: number;
}

/** A part of a page or database that was found: its words as `search/text/parts.ts` keeps them. */
export interface WordMatch {
  readonly id: string;
  /** Of the page; those that are newer to search have higher ones. */
  readonly no: number;
  readonly title: string;
  readonly body: string;
  /** Terms of the part. */
  readonly length: number;
}

export interface WordMatches {
  /** Highest numbers first. */
  readonly matches: readonly WordMatch[];
  /** The number below which there may be more; undefined where there is none. */
  readonly rest: number | undefined;
}

/** How common words are in a workspace, about. */
export interface WordStatistics {
  readonly parts: number;
  /** Terms of all parts. */
  readonly length: number;
  /** Parts with each phrase, in their order. */
  readonly counts: readonly number[];
}

/** A place in the order of last edits. */
export interface EditCursor {
  readonly editedTime: number;
  readonly id: string;
}

/** Pages and databases in the order of their last edits. */
export interface EditQuery {
  /** All must occur. */
  readonly phrases: readonly Phrase[];
  readonly scope: SearchWithin;
  readonly direction: "ascending" | "descending";
  /** Only behind this place. */
  readonly after?: EditCursor;
  readonly limit: number;
}

/** For how long whoever takes from the queue may work. */
export interface Lease {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly until: number;
  /** At most this many. */
  readonly limit: number;
}

/** A page or database whose vectors are due. */
export interface DuePage {
  readonly id: string;
  /** Another one once the page has changed again. */
  readonly change: number;
}

/** `conflict`: a version, a position, a parent or a receipt was not as expected; nothing happened. */
export type CommitOutcome = "committed" | "conflict";

export interface Store extends VectorStore {
  /** The node, trashed or not; undefined where the workspace has none of this id. */
  node(workspace: string, id: string): Promise<NodeView | undefined>;

  /**
   * The version of the node alone: the cheapest way to learn whether what was made of it still
   * stands. Undefined where there is none of this id.
   */
  version(workspace: string, id: string): Promise<number | undefined>;

  /**
   * Children in order that share their parent's state: alive with it, or in the trash by the same
   * deletion. None where the parent is unknown. Fewer than there are where their documents are long:
   * those of a page, and the next.
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
  gap(workspace: string, parentId: string | null, place: SiblingPosition): Promise<Gap | undefined>;

  /** Those of these nodes that exist, trashed or not, in no order. */
  nodes(workspace: string, ids: readonly string[]): Promise<NodeView[]>;

  /**
   * The first of these different nodes that exist, trashed or not, in their order: those of a page, and
   * the next.
   */
  firstNodes(workspace: string, ids: readonly string[]): Promise<NodeView[]>;

  /**
   * One page of a database's rows in the order of the query, by index wherever its filter is
   * selective or its first sort is kept. No field of the query is `computed`. A row that changes while
   * a long query pauses is found as it was or as it is, once at most; every other row is found as if
   * nothing had changed. Fewer rows than there are where their documents are long: those of a page,
   * and the next.
   */
  rows(workspace: string, query: RowQuery, pacing?: Pacing): Promise<FoundRow[]>;

  /**
   * Returns, for each row ID, the IDs of its linked rows that are not in the trash: in the given order
   * on the side `from`, by ID on the side `to`.
   */
  links(workspace: string, query: LinkQuery): Promise<Map<string, string[]>>;

  /** The last number given to a row of this database; 0 before the first. */
  lastNumber(workspace: string, databaseId: string): Promise<number>;

  /**
   * Living pages and databases by their words, the titles and contents as the last commit left them:
   * a page's blocks, a row's properties, a database's description and the names of its properties.
   */
  findWords(workspace: string, query: WordQuery): Promise<WordMatches>;

  /** How common these phrases are. */
  wordStatistics(workspace: string, phrases: readonly Phrase[]): Promise<WordStatistics>;

  /**
   * Living pages and databases in the order of their last edits, equal ones by id. Fewer than there are
   * where their documents are long: those of a page, and the next.
   */
  edited(workspace: string, query: EditQuery): Promise<NodeView[]>;

  /** All parts of these pages and databases, in no order. */
  words(workspace: string, ids: readonly string[]): Promise<WordMatch[]>;

  /** The workspaces that have a queue. */
  dueWorkspaces(): Promise<string[]>;

  /** Those of them with pages in it that a commit put there and nobody has taken. */
  writtenWorkspaces(): Promise<string[]>;

  /**
   * Pages and databases whose content changed since their vectors were made: every commit puts what it
   * changes in the queue, before what a new space asks for. Nobody else is given the same before the
   * lease ends.
   */
  takeDue(workspace: string, lease: Lease): Promise<DuePage[]>;

  /** Ends the lease of these: they stay in the queue, and may be taken at once. */
  releaseDue(workspace: string, pages: readonly DuePage[]): Promise<void>;

  /** Takes these out of the queue, and gives back those that have changed again. */
  finishDue(workspace: string, pages: readonly DuePage[]): Promise<void>;

  /** How many pages and databases are in the queue, taken or not. */
  countDue(workspace: string): Promise<number>;

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
   * The first workspace behind this name that has leftovers, or uploads that nothing refers to. A
   * question about all workspaces: nobody else knows where to sweep.
   */
  sweepable(after: string): Promise<string | undefined>;

  user(workspace: string, id: string): Promise<User | undefined>;

  /** Those of these users that exist. */
  users(workspace: string, ids: readonly string[]): Promise<User[]>;

  /** Creates the user, or brings what its token says of it up to date; the rest stays. */
  saveUser(workspace: string, told: ToldUser): Promise<void>;

  /** A secret of the whole service, made on first use and the same for every process since. */
  secret(name: string): Promise<Uint8Array<ArrayBuffer>>;

  /**
   * Compares the next documents of all workspaces with their checksums, and adds those that are
   * missing. Begins behind `after`, or with the first document.
   */
  checkDocuments(after: DocumentKey | undefined, limit: number): Promise<DocumentCheck>;

  /**
   * Answers when the database can be read and written; throws where it cannot. By default it costs
   * the disk nothing; with `takesSpace` it writes and removes 128 KiB, which a full disk refuses.
   */
  ping(options?: { readonly takesSpace: boolean }): Promise<void>;

  close(): Promise<void>;
}
