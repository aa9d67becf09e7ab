/**
 * The parts of the readers' SQL that each database writes differently.
 *
 * @module
 */
import type { NodeList, NodePage } from "./node_pages.ts";
import type { Source } from "./query.ts";

export interface ReadDialect {
  /** A statement whose parameters are `$1`, `$2`, …, as the database writes them. */
  statement(sql: string): string;
  /** A table that is read by this index. */
  indexed(table: string, index: string): string;
  /**
   * Returns whether the trash root in this column is that of a node in the trash, or of one
   * outside.
   */
  inState(column: string, inTrash: boolean): string;
  /** The trash root in this column; null outside the trash. */
  trashRoot(column: string): string;
  /**
   * Returns whether two trash roots are the same: both outside the trash, or in it by one deletion.
   */
  sameState(one: string, other: string): string;
  /** The tables, and as the first condition that the column is one of the listed parameter. */
  listed(tables: string, column: string, parameter: string): string;
  /** Returns whether the column is one of the listed parameter, for statements that write. */
  among(column: string, parameter: string): string;
  /** The nodes of workspace `$1` whose IDs are in list `$2`, in the order of the list. */
  readonly nodesInOrder: NodeList;
  /** Declares the statements that read one page of a list of nodes. */
  pageOf(source: Source, list: NodeList): NodePage;
}
