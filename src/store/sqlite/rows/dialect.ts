/**
 * Queries of rows in the words of SQLite, which is told every index: it must not choose.
 *
 * @module
 */
import type { Field, SortKey } from "../../../content/query/filter.ts";
import type { Dialect } from "../../rows/dialect.ts";
import { conditionsOf, exists, firstLink, type RowColumns } from "../../rows/filter_sql.ts";
import {
  isAskedFor,
  isInState,
  MEMBER_COLUMNS,
  orderOf,
  sourceOf,
  valueColumns,
} from "../../rows/sources.ts";
import { join, raw, type Sql, sql } from "../../rows/sql.ts";
import { SQLITE_READS } from "../dialect.ts";

const gather: Dialect["scanCandidates"] = (search, prefix, spans) => {
  const { dialect, rowSet, sorts } = search;
  const row = { dialect, rowSet, id: raw("c.id") };
  const parts = spans.map((span) => {
    const { id, from, where } = sourceOf(span, rowSet, dialect);
    return sql`SELECT ${id} AS id FROM ${from} WHERE ${where}`;
  });
  const keys = sorts.slice(prefix.fixed.length).map(({ field }) => firstValue(field, row));
  return sql`
    SELECT ${join([row.id, ...keys], ", ")}
    FROM (SELECT DISTINCT id FROM (${join(parts, " UNION ALL ")})) c
    CROSS JOIN nodes n ON n.workspace_id = ${rowSet.workspace} AND n.id = c.id
    WHERE ${isAskedFor(rowSet, dialect)} AND ${conditionsOf(search, prefix, row)}`;
};

const walk: Dialect["scanIndex"] = (search, prefix, { span, descending }) => {
  const { dialect, rowSet, sorts } = search;
  const source = sourceOf(span, rowSet, dialect);
  const row = { dialect, rowSet, id: source.id };
  const keys = sorts.slice(prefix.fixed.length).map(({ field }, index) =>
    index === 0 ? source.value : firstValue(field, row)
  );
  // With sorts left it is for who takes the rows to say when no other can come before.
  // Some may be on the page already, having moved since they were met before. The cast is for SQLite,
  // which looks at a bare parameter here and prepares the statement anew each time that it is asked.
  const end = keys.length > 1 ? raw("") : sql`LIMIT CAST(${search.limit} AS integer)`;
  const isOfNodes = span.field.kind === "row";
  // The index of a row's members holds nothing but rows: the node itself need not be looked at.
  const isRow = isOfNodes ? isInState(rowSet, dialect) : isAskedFor(rowSet, dialect);
  const node = raw(`CROSS JOIN nodes n
    ON d.ordinal = 0 AND n.workspace_id = d.workspace_id AND n.id = d.node_id`);
  return sql`
    SELECT ${join([source.id, ...keys], ", ")}
    FROM ${source.from} ${isOfNodes ? raw("") : node}
    WHERE ${source.where} AND ${isRow} AND ${conditionsOf(search, prefix, row)}
    ORDER BY ${orderOf([...valueColumns(span, source), source.id], descending)} ${end}`;
};

/** By the index of values: all rows of one key lie close together there, and far apart by row. */
const hasKey: Dialect["hasKey"] = (propertyId, key, { rowSet, id }) =>
  exists(sql`FROM cells f INDEXED BY cells_by_value
    WHERE f.workspace_id = ${rowSet.workspace} AND f.database_id = ${rowSet.databaseId}
      AND f.property_id = ${propertyId} AND f.number IS NULL AND f.key = ${key}
      AND f.node_id = ${id}`);

/** What a row is sorted by: its first value of a field. */
function firstValue(field: Field, row: RowColumns): Sql {
  switch (field.kind) {
    case "row":
      return raw(`n.${MEMBER_COLUMNS[field.member]}`);
    case "cells":
      return sql`(
        SELECT coalesce(s.number, s.key) FROM cells s
        WHERE s.workspace_id = ${row.rowSet.workspace} AND s.node_id = ${row.id}
          AND s.property_id = ${field.propertyId} AND s.ordinal = 0
      )`;
    case "links":
      return firstLink(field, row);
    case "computed":
      throw new Error("A store cannot sort by a computed property");
  }
}

/** How SQLite is asked for rows. */
export const SQLITE: Dialect = {
  indexed: (table, index) => raw(`${table} INDEXED BY ${index}`),
  filtered: (column) => raw(`+${column}`),
  inState: (column, inTrash) => raw(SQLITE_READS.inState(column.text, inTrash)),
  hasKey,
  contains: (column, text) => sql`instr(${column}, ${text}) > 0`,
  scanCandidates: gather,
  scanIndex: walk,
  // Sound because a column of each is named above.
  keys: (values) => values as readonly SortKey[],
};
