/**
 * A database as a copy sees it: tables, read and written in the order of their keys.
 *
 * @module
 */
import type { Table } from "./tables.ts";

export type Value = string | number | null;

/** The columns of a table in their order. */
export type Row = readonly Value[];

/** A source must be there, and a target is made where it is missing. */
export type Role = "source" | "target";

export interface Archive {
  count(table: Table): Promise<number>;
  /** Rows behind the one with this key, in the order of keys; from the first where it is left out. */
  read(table: Table, after: Row | undefined, limit: number): Promise<Row[]>;
  /** Keeps new rows, all or none. */
  write(table: Table, rows: readonly Row[]): Promise<void>;
  /** Removes all rows. */
  clear(table: Table): Promise<void>;
  /** Brings up to date what the database knows of a table that rows were written to. */
  analyze(table: Table): Promise<void>;
  /** The key of the last row. */
  last(table: Table): Promise<Row | undefined>;
  close(): Promise<void>;
}

/** The key of a row. */
export function keyOf({ key, columns }: Table, row: Row): Row {
  const names = Object.keys(columns);
  return key.map((name) => row[names.indexOf(name)] ?? null);
}
