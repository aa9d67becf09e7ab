/**
 * Rows of databases.
 *
 * @module
 */
import type { ComputeBudget } from "../../content/formulas/compute_budget.ts";
import type { KeyField, RowCursor, RowQuery } from "../../content/query/filter.ts";
import type { RowPlace } from "../../content/schema/database.ts";
import type { NodeView } from "../../content/schema/node.ts";
import type { LinkSide } from "../../content/schema/property.ts";

/** A row of a database, and its place in the order of the query that found it. */
export interface FoundRow {
  readonly node: NodeView;
  readonly cursor: RowCursor;
}

/** A found row; its node is undefined if the caller knows it or does not show it. */
export type ListedRow = Pick<FoundRow, "cursor"> & Partial<FoundRow>;

export interface RowListing {
  /** Returns whether the caller needs no node of the row in this version. */
  isKnown(id: string, version: number): boolean;
  /** How many rows the caller shows: it needs no nodes of the others. All if absent. */
  readonly shown?: number;
  readonly pacing?: Pacing | undefined;
}

/** How a long query shares the process with others. */
export interface Pacing {
  /** Whose query it is, if that is known: users take turns. */
  readonly userId?: string | undefined;
  /** Resolves when the query may continue; others are served in between. Rejects if it must stop. */
  pause(): Promise<void>;
  /** One unit for each row that is checked, and for each condition and sort on it. */
  readonly budget: ComputeBudget;
}

/** The links of some rows on one side of a relation. */
export interface LinkQuery {
  readonly relationId: string;
  /** The side that the rows are on. */
  readonly side: LinkSide;
  readonly ids: readonly string[];
  /** A page or database in the trash; rows that were trashed with it count as outside. */
  readonly restored?: string;
}

/** Rows with several links on one side of a relation. */
export interface SeveralLinksQuery extends Omit<LinkQuery, "ids" | "restored"> {
  readonly limit: number;
}

/** The keys that a field has in the rows of a database. */
export interface KeyQuery {
  readonly databaseId: string;
  readonly field: KeyField;
  readonly limit: number;
}

/** Rows behind a place; from the first on if it is null. */
export interface PlaceQuery {
  readonly databaseId: string;
  readonly after: RowPlace | null;
  readonly limit: number;
}

export interface RowReader {
  /**
   * Returns one page of a database's rows in the order of the query. Uses an index if the filter is
   * selective or the first sort has one. No field of the query is `computed`. A row that changes while
   * a long query pauses is returned at most once, as it was or as it is; every other row is returned as
   * if nothing had changed. Returns fewer rows than asked for if their documents are long: it stops
   * once they fill a page, and returns one row more.
   */
  rows(workspace: string, query: RowQuery, pacing?: Pacing): Promise<FoundRow[]>;

  /** Like `rows()`, but reads no nodes of rows that are known or not shown. */
  listRows(workspace: string, query: RowQuery, listing: RowListing): Promise<ListedRow[]>;

  /**
   * Returns, for each row ID, the IDs of its linked rows that are not in the trash: in the given order
   * on the side `from`, by ID on the side `to`. Calls `rest` between two slices if there are many.
   */
  links(
    workspace: string,
    query: LinkQuery,
    rest?: () => Promise<void> | undefined,
  ): Promise<Map<string, string[]>>;

  /** Returns the first rows with several links, in or outside the trash at their other end, by ID. */
  severallyLinked(workspace: string, query: SeveralLinksQuery): Promise<string[]>;

  /** Returns the first distinct keys of a field in ascending order, of rows in the trash too. */
  distinctKeys(workspace: string, query: KeyQuery): Promise<string[]>;

  /** Returns the next rows of a database, inside and outside the trash, oldest first. */
  rowPlaces(workspace: string, query: PlaceQuery): Promise<RowPlace[]>;

  /** Returns the last number given to a row of this database; 0 before the first. */
  lastNumber(workspace: string, databaseId: string): Promise<number>;
}
