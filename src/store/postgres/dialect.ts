/**
 * How the shared reads are written for PostgreSQL.
 *
 * @module
 */
import { LIMITS } from "../../content/values/limits.ts";
import type { ReadDialect } from "../reads/dialect.ts";
import { nodeColumns, type NodeRow, toView } from "../reads/node_row.ts";

/** The server ends the page, so that no more than that crosses the network. */
const pageOf: ReadDialect["pageOf"] = ({ dialect, query }, { from, place, parameters }) => {
  // The node that fills the page is followed by one more: the lengths before the last one decide.
  const nodes = query<NodeRow>(
    `SELECT ${nodeColumns(dialect)} FROM (
      SELECT n.*, sum(length(n.doc)) OVER (
        ORDER BY n.place ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING
      ) AS before
      FROM (SELECT n.*, ${place} AS place ${from}) n
    ) n
    WHERE coalesce(n.before, 0) < $${parameters + 1} ORDER BY n.place`,
  );
  return (workspace, _, values) =>
    nodes.all([workspace, ...values, LIMITS.pageLength], (row) => toView(workspace, row));
};

export const POSTGRES_READS: ReadDialect = {
  statement: (sql) => sql,
  indexed: (table) => table,
  inState: (column, inTrash) => `${column} ${inTrash ? "> ''" : "= ''"}`,
  trashRoot: (column) => `nullif(${column}, '')`,
  sameState: (one, other) => `${one} = ${other}`,
  listed: (tables, column, parameter) =>
    `FROM ${tables} WHERE ${column} = ANY (${parameter}::text[])`,
  among: (column, parameter) => `${column} = ANY (${parameter}::text[])`,
  nodesInOrder: {
    // The limit keeps it a look-up for each node.
    from: `FROM unnest($2::text[]) WITH ORDINALITY wanted (id, place) CROSS JOIN LATERAL (
      SELECT * FROM nodes n WHERE n.workspace_id = $1 AND n.id = wanted.id LIMIT 1
    ) n`,
    place: "wanted.place",
    parameters: 2,
  },
  pageOf,
};
