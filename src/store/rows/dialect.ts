/**
 * The parts of row queries that each database writes differently.
 *
 * @module
 */
import type { SortKey } from "../../content/query/filter.ts";
import type { RowColumns } from "./filter_sql.ts";
import type { Tuple } from "../plan.ts";
import type { IndexRange, LinkRange, ValueRange } from "./index_ranges.ts";
import type { Sql } from "./sql.ts";
import type { RowSearch, SortPrefix } from "./sort_prefix.ts";

/** A scan of an index range in one direction. */
export interface IndexScan {
  readonly indexRange: ValueRange | LinkRange;
  readonly descending: boolean;
}

/** An index scan that ends once it has found so many rows. */
export interface LimitedScan extends IndexScan {
  readonly limit: number;
}

/** A cell with a key. */
export interface KeyedCell {
  readonly propertyId: string;
  readonly key: string;
  /** True if it is the first of its property, false if it may be any. */
  readonly isFirst: boolean;
}

export interface Dialect {
  /** A table that is read through this index. */
  indexed(table: string, index: string): Sql;
  /** A column in a condition that must not influence the choice of the index. */
  filtered(column: string): Sql;
  /** Returns whether the node with the trash root in this column is in the trash, or outside. */
  inState(column: Sql, inTrash: boolean): Sql;
  /** Returns whether a row has such a cell. */
  hasKey(cell: KeyedCell, row: RowColumns): Sql;
  /** The whole text of the cell `f`. */
  readonly cellText: Sql;
  /** Returns whether the column contains this text. */
  contains(column: Sql, text: string): Sql;
  /** Like `contains`, quickly for a column of long texts. */
  containsLong(column: Sql, text: string): Sql;
  /** Returns whether an ID is among those that a statement selects; reads each of these once. */
  among(id: Sql, ids: Sql): Sql;
  /** Selects these IDs. */
  listed(ids: readonly string[]): Sql;
  /**
   * Selects the rows of a sort prefix in these index ranges, each once: its ID, its version, then the
   * columns that `keys` reads. In any order; may leave out rows that sort after those that fill the page.
   */
  scanCandidates(search: RowSearch, prefix: SortPrefix, ranges: readonly IndexRange[]): Sql;
  /** Like `scanCandidates`, for the rows of an index scan in the order of the index. */
  scanIndex(search: RowSearch, prefix: SortPrefix, scan: LimitedScan): Sql;
  /** The keys of the sorts that the sort prefix does not fix. */
  keys(values: Tuple): readonly SortKey[];
}
