/**
 * How the shared reads are written for SQLite.
 *
 * @module
 */
import { LIMITS } from "../../content/values/limits.ts";
import type { ReadDialect } from "../reads/dialect.ts";
import { hasDoc, lengthOf, nodeColumns, type NodeRow } from "../reads/node_row.ts";

/**
 * Reads all nodes at once if they surely fit one page, which is twice as fast as one by one. The length
 * of a document is known without reading it.
 */
const pageOf: ReadDialect["pageOf"] = ({ dialect, query }, { from, parameters }) => {
  const nodes = query<NodeRow>(`SELECT ${nodeColumns(dialect)} ${from}`);
  // A long title is in a long document.
  const ifShort = (column: string) =>
    `iif(octet_length(n.doc) <= $${parameters + 1}, ${column}, NULL)`;
  const short = query<NodeRow>(`SELECT ${nodeColumns(dialect, ifShort)} ${from}`);
  return function* (limit, values) {
    const longest = Math.floor(LIMITS.pageLength / limit);
    const rows = yield* short.all([...values, longest], (row) => row);
    if (rows.every((row) => hasDoc(row))) return rows;
    const found: NodeRow[] = [];
    let length = 0;
    for (const row of yield* nodes.lazily(values)) {
      found.push(row);
      if (length >= LIMITS.pageLength) break;
      length += lengthOf(row);
    }
    return found;
  };
};

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
