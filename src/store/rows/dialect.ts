/**
 * What each database says in its own words.
 *
 * @module
 */
import type { SortKey } from "../../content/query/filter.ts";
import type { RowColumns } from "./filter_sql.ts";
import type { Tuple } from "../plan.ts";
import type { IndexRange, ValueRange } from "./index_ranges.ts";
import type { Sql } from "./sql.ts";
import type { RowSearch, SortPrefix } from "./sort_prefix.ts";

/** A way through a span. */
export interface IndexScan {
  readonly span: ValueRange;
  readonly descending: boolean;
}

export interface Dialect {
  /** A table that is read by this index. */
  indexed(table: string, index: string): Sql;
  /** A column in a condition that must not choose the index. */
  filtered(column: string): Sql;
  /** Whether the trash root in this column is that of a node in the trash, or of one outside. */
  inState(column: Sql, inTrash: boolean): Sql;
  /** Whether a row has a cell with this key. */
  hasKey(propertyId: string, key: string, row: RowColumns): Sql;
  /** Whether the text contains this one. */
  contains(column: Sql, text: string): Sql;
  /**
   * The rows of a stage in these spans, each once: its id, then what `keys` reads. In any order, but
   * where some are left out they come behind as many as there is room for.
   */
  scanCandidates(search: RowSearch, prefix: SortPrefix, ranges: readonly IndexRange[]): Sql;
  /** The same of the rows that a walk meets, in its order. */
  scanIndex(search: RowSearch, prefix: SortPrefix, way: IndexScan): Sql;
  /** The keys of the sorts that the stage does not fix. */
  keys(values: Tuple): readonly SortKey[];
}
