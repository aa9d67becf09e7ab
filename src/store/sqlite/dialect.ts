/**
 * How the shared reads are written for SQLite.
 *
 * @module
 */
import type { ReadDialect } from "../reads/dialect.ts";
import { pageOf } from "./node_pages.ts";

/** SQLite knows no sizes of tables: CROSS has it begin at the list and not at a whole workspace. */
const listed: ReadDialect["listed"] = (tables, column, parameter) =>
  `FROM json_each(${parameter}) wanted CROSS JOIN ${tables} WHERE ${column} = wanted.value`;

export const SQLITE_READS: ReadDialect = {
  statement: (sql) => sql.replaceAll("$", "?"),
  indexed: (table, index) => `${table} INDEXED BY ${index}`,
  // Compared, because an index is searched by a comparison and not by `IS NOT NULL`.
  inState: (column, inTrash) => `${column} ${inTrash ? ">= ''" : "IS NULL"}`,
  trashRoot: (column) => column,
  sameState: (one, other) => `${one} IS ${other}`,
  listed,
  among: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  nodesInOrder: {
    from: `${listed("nodes n", "n.id", "$2")} AND n.workspace_id = $1`,
    place: "wanted.key",
    parameters: 2,
  },
  pageOf,
};
