/**
 * What each database says in its own words.
 *
 * @module
 */
import type { SortKey } from "../../content/query/filter.ts";
import type { Judged } from "./judge.ts";
import type { Tuple } from "./reading.ts";
import type { Span, ValueSpan } from "./spans.ts";
import type { Sql } from "./sql.ts";
import type { Search, Stage } from "./stage.ts";

/** A way through a span. */
export interface Walk {
  readonly span: ValueSpan;
  readonly descending: boolean;
}

export interface Dialect {
  /** A table that is read by this index. */
  indexed(table: string, index: string): Sql;
  /** A column in a condition that must not choose the index. */
  judged(column: string): Sql;
  /** Whether the trash root in this column is that of a node in the trash, or of one that lives. */
  inState(column: Sql, inTrash: boolean): Sql;
  /** Whether a row has a cell with this key. */
  hasKey(propertyId: string, key: string, row: Judged): Sql;
  /** Whether the text has this one in it. */
  contains(column: Sql, text: string): Sql;
  /**
   * The rows of a stage in these spans, each once: its id, then what `keys` reads. In any order, but
   * where some are left out they come behind as many as there is room for.
   */
  gather(search: Search, stage: Stage, spans: readonly Span[]): Sql;
  /** The same of the rows that a walk meets, in its order. */
  walk(search: Search, stage: Stage, way: Walk): Sql;
  /** The keys of the sorts that the stage does not fix. */
  keys(values: Tuple): readonly SortKey[];
}
