/**
 * A database as a copy sees it: tables, read and written in the order of their keys.
 *
 * @module
 */
import type { Table } from "./tables.ts";

export type Value = string | number | null;

/** The columns of a table in their order. */
export type Row = readonly Value[];

/** A source must exist; a target is created if it is missing. */
export type Role = "source" | "target";

export interface Archive {
  count(table: Table): Promise<number>;
  /** Returns rows in the order of keys, after this key or from the first. */
  read(table: Table, after: Row | undefined, limit: number): Promise<Row[]>;
  /** Inserts rows, all or none. */
  write(table: Table, rows: readonly Row[]): Promise<void>;
  /** Removes all rows. */
  clear(table: Table): Promise<void>;
  /** Updates the database's statistics of a table. */
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
