/**
 * Prepared reads whose rows are tuples.
 *
 * @module
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** A read; each row is the tuple of its selected columns. */
export interface Query<Row extends readonly unknown[]> {
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
  /** Reads row by row; the rest costs nothing if the caller stops early. */
  iterate(...values: SQLInputValue[]): IterableIterator<Row>;
}

/** Methods that the declared types lack. */
interface ArrayStatement extends StatementSync {
  setReturnArrays(enabled: boolean): void;
}

/**
 * Prepares a read. SQLite has no statistics: if a list or a tree leads to the rows, use CROSS JOIN, so
 * that the scan starts there and not with the whole workspace.
 *
 * Nothing checks `Row` against `sql`: write the two side by side.
 */
export function query<Row extends readonly unknown[]>(db: DatabaseSync, sql: string): Query<Row> {
  // SQLite compiles a statement again whenever the value of a bare `LIMIT ?` changes.
  const text = sql.replaceAll(/\bLIMIT (\?\d*)/g, "LIMIT CAST($1 AS integer)");
  const statement = db.prepare(text) as ArrayStatement; // the runtime has the method
  // A quarter faster than rows as objects.
  statement.setReturnArrays(true);
  // Sound because every table is STRICT: the columns that `sql` names decide the tuple.
  return statement as unknown as Query<Row>;
}
