/**
 * Row queries for SQLite. Every statement names its index, so that SQLite does not choose one.
 *
 * @module
 */
import type { Field, SortKey } from "../../../content/query/filter.ts";
import { SHORT } from "../../../shared/text_search.ts";
import type { Dialect, IndexScan } from "../../rows/dialect.ts";
import { conditionsOf, exists, firstLink, type RowColumns } from "../../rows/filter_sql.ts";
import {
  candidatesIn,
  isInRowSet,
  isInState,
  MEMBER_COLUMNS,
  orderOf,
  type Source,
  sourceOf,
  valueColumns,
  VERSION,
} from "../../rows/sources.ts";
import { join, raw, type Sql, sql } from "../../rows/sql.ts";
import { SQLITE_READS } from "../dialect.ts";
import { wholeText } from "../long_texts.ts";

const scanCandidates: Dialect["scanCandidates"] = (search, prefix, indexRanges) => {
  const { dialect, rowSet, sorts } = search;
  const row = { dialect, rowSet, id: raw("c.id") };
  const parts = indexRanges.map((indexRange) => candidatesIn(indexRange, rowSet, dialect));
  const keys = sorts.slice(prefix.fixed.length).map(({ field }) => firstValue(field, row));
  return sql`
    SELECT ${join([row.id, VERSION, ...keys], ", ")}
    FROM (SELECT DISTINCT id FROM (${join(parts, " UNION ALL ")})) c
    CROSS JOIN nodes n ON n.workspace_id = ${rowSet.workspace} AND n.id = c.id
    WHERE ${isInRowSet(rowSet, dialect)} AND ${conditionsOf(search, prefix, row)}`;
};

const scanIndex: Dialect["scanIndex"] = (search, prefix, { indexRange, descending, limit }) => {
  const { dialect, rowSet, sorts } = search;
  const source = sourceOf(indexRange, rowSet, dialect);
  const row = { dialect, rowSet, id: source.id };
  const keys = sorts.slice(prefix.fixed.length).map(({ field }, index) =>
    index === 0 ? source.value : firstValue(field, row)
  );
  // If further sorts follow, `takeFirst` decides when to stop. The cast keeps SQLite from compiling the
  // statement again for each value of a bare `LIMIT ?`.
  const isLazy = keys.length > 1;
  const end = isLazy ? raw("") : sql`LIMIT CAST(${limit} AS integer)`;
  // Indexes on members of rows contain only rows, so this needs no check of the node.
  const isOfNodes = indexRange.field.kind === "row";
  const isRow = isOfNodes ? isInState(rowSet, dialect) : isInRowSet(rowSet, dialect);
  const statement = sql`
    SELECT ${join([source.id, VERSION, ...keys], ", ")}
    FROM ${source.from} ${nodeOf(indexRange, source)}
    WHERE ${source.where} AND ${isRow} AND ${conditionsOf(search, prefix, row)}
    ORDER BY ${orderOf([...valueColumns(indexRange, source), source.id], descending)} ${end}`;
  return isLazy ? { ...statement, isLazy } : statement;
};

/** Joins the node of each entry, unless the index is of nodes. */
function nodeOf({ field }: IndexScan["indexRange"], { id }: Source): Sql {
  if (field.kind === "row") return raw("");
  const workspace = field.kind === "cells"
    ? "d.ordinal = 0 AND n.workspace_id = d.workspace_id"
    : "n.workspace_id = l.workspace_id";
  return sql`CROSS JOIN nodes n ON ${raw(workspace)} AND n.id = ${id}`;
}

/** Uses the index of values, in which all rows with one key lie close together. */
const hasKey: Dialect["hasKey"] = ({ propertyId, key, isFirst }, { rowSet, id }) =>
  exists(sql`FROM cells f INDEXED BY cells_by_value
    WHERE f.workspace_id = ${rowSet.workspace} AND f.database_id = ${rowSet.databaseId}
      AND f.property_id = ${propertyId} AND f.number IS NULL AND f.key = ${key}
      AND f.node_id = ${id} ${raw(isFirst ? "AND f.ordinal = 0" : "")}`);

/** The sort key of a row: its first value of a field. */
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

/** Row queries in SQLite's SQL. */
export const SQLITE: Dialect = {
  indexed: (table, index) => raw(`${table} INDEXED BY ${index}`),
  filtered: (column) => raw(`+${column}`),
  inState: (column, inTrash) => raw(SQLITE_READS.inState(column.text, inTrash)),
  hasKey,
  cellText: raw(wholeText("f")),
  contains: (column, text) =>
    text.length <= SHORT
      ? sql`instr(${column}, ${text}) > 0`
      : sql`contains_text(${column}, ${text})`,
  // Twice as fast as `instr`, which compares at each character.
  containsLong: (column, text) => sql`${column} GLOB ${`*${text.replaceAll(/[*?[]/g, "[$&]")}*`}`,
  among: (id, ids) => sql`+${id} IN (${ids})`,
  listed: (ids) => sql`SELECT value AS id FROM json_each(${JSON.stringify(ids)})`,
  scanCandidates,
  scanIndex,
  // Sound because `firstValue` selects one column for each key.
  keys: (values) => values as readonly SortKey[],
};
