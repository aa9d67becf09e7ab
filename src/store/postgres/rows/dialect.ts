/**
 * Row queries for PostgreSQL. The server sorts the rows, so that only one page crosses the network
 * and not all candidates.
 *
 * @module
 */
import type { SortKey } from "../../../content/query/filter.ts";
import { SHORT } from "../../../shared/text_search.ts";
import type { Dialect } from "../../rows/dialect.ts";
import { conditionsOf, type RowColumns, someCell } from "../../rows/filter_sql.ts";
import {
  candidatesIn,
  isInRowSet,
  isInState,
  orderOf,
  sourceOf,
  valueColumns,
  VERSION,
} from "../../rows/sources.ts";
import { join, raw, type Sql, sql } from "../../rows/sql.ts";
import { roomIn, type RowSearch, type SortPrefix } from "../../rows/sort_prefix.ts";
import { POSTGRES_READS } from "../dialect.ts";
import { isAfter, type Key, keyOf, orderBy, type Step, stepsOf } from "./keys.ts";

const scanCandidates: Dialect["scanCandidates"] = (search, prefix, indexRanges) => {
  const { dialect, rowSet } = search;
  const row = { dialect, rowSet, id: raw("c.id") };
  const parts = indexRanges.map((indexRange) => candidatesIn(indexRange, rowSet, dialect));
  const keys = keysOf(search, prefix, row);
  return sql`
    SELECT ${columnsOf(row, keys)}
    FROM (SELECT DISTINCT id FROM (${join(parts, " UNION ALL ")}) p) c
    ${nodeOf(row)} ${join(keys.map(({ joined }) => joined), " ")}
    WHERE ${isInRowSet(rowSet, dialect)} AND ${conditionsOf(search, prefix, row)}
      AND ${isBehind(search, prefix, { row, keys })}
    ORDER BY ${orderBy(stepsIn(search, row, keys))} LIMIT ${roomIn(search)}`;
};

const scanIndex: Dialect["scanIndex"] = (search, prefix, { indexRange, descending, limit }) => {
  const { dialect, rowSet } = search;
  const source = sourceOf(indexRange, rowSet, dialect);
  const row = { dialect, rowSet, id: source.id };
  const isOfNodes = indexRange.field.kind === "row";
  const [first, ...others] = keysOf(search, prefix, row);
  // The scanned index contains the first key itself.
  const ownKey = first && (isOfNodes ? first : { ...first, ...KEY_OF_CELL });
  const values = valueColumns(indexRange, source);
  // If further sorts follow, they order the rows with the same value.
  const order = others.length === 0
    ? orderOf([...values, source.id], descending)
    : sql`${orderOf(values, descending)}, ${orderBy(stepsIn(search, row, others))}`;
  // Indexes on members of rows contain only rows, so this needs no check of the node.
  const isRow = isOfNodes ? isInState(rowSet, dialect) : isInRowSet(rowSet, dialect);
  const isFirst = indexRange.field.kind === "cells" ? sql`${isRow} AND d.ordinal = 0` : isRow;
  return sql`
    SELECT ${columnsOf(row, [...ownKey ? [ownKey] : [], ...others])}
    FROM ${source.from} ${isOfNodes ? raw("") : nodeOf(row)}
    ${join(others.map(({ joined }) => joined), " ")}
    WHERE ${source.where} AND ${isFirst} AND ${conditionsOf(search, prefix, row)}
    ORDER BY ${order} LIMIT ${limit}`;
};

const KEY_OF_CELL = { number: raw("d.number"), key: raw("d.key"), joined: raw("") };

/** The keys of the sorts that the sort prefix does not fix. */
function keysOf({ sorts }: RowSearch, { fixed }: SortPrefix, row: RowColumns): Key[] {
  return sorts.slice(fixed.length).map((sort, index) => keyOf(sort, index, row));
}

/** Joins the node of each row by a look-up of its own. */
function nodeOf({ rowSet, id }: RowColumns): Sql {
  return sql`CROSS JOIN LATERAL (
    SELECT * FROM nodes n WHERE n.workspace_id = ${rowSet.workspace} AND n.id = ${id} LIMIT 1
  ) n`;
}

function columnsOf({ id }: RowColumns, keys: readonly Key[]): Sql {
  return join([id, VERSION, ...keys.flatMap(({ number, key }) => [number, key])], ", ");
}

/** The columns to order by: the keys, then the ID. */
function stepsIn({ sorts }: RowSearch, { id }: RowColumns, keys: readonly Key[]): Step[] {
  const descending = sorts.at(-1)?.descending === true;
  return [...keys.flatMap((key) => stepsOf(key)), { column: id, descending, of: null }];
}

interface Keyed {
  readonly row: RowColumns;
  readonly keys: readonly Key[];
}

/** Returns whether a row comes after the resume point of the sort prefix. */
function isBehind({ sorts }: RowSearch, { after, fixed }: SortPrefix, { row, keys }: Keyed): Sql {
  if (after === undefined) return raw("true");
  const starts = after.keys.slice(fixed.length);
  const steps = keys.slice(0, starts.length).flatMap((key, at) => stepsOf(key, starts[at]));
  const descending = sorts.at(-1)?.descending === true;
  return isAfter(
    after.id === undefined ? steps : [...steps, { column: row.id, descending, of: after.id }],
  );
}

/**
 * The time of `strpos()` grows with the product of both lengths if both repeat themselves; that of a
 * regular expression does not, but preparing one takes longer than looking through a short text.
 */
function contains(column: Sql, text: string): Sql {
  const isWithin = sql`strpos(${column}, ${text}) > 0`;
  return text.length <= SHORT ? isWithin : sql`CASE WHEN octet_length(${column}) > 1024
    THEN ${column} ~ ${`${LITERAL}${text}`} ELSE ${isWithin} END`;
}

/** Begins a regular expression that is nothing but a text. */
const LITERAL = "***=";

/** Row queries in PostgreSQL's SQL. */
export const POSTGRES: Dialect = {
  indexed: raw,
  filtered: raw,
  inState: (column, inTrash) => raw(POSTGRES_READS.inState(column.text, inTrash)),
  // By the primary key: `cells_by_value` would compare more equal columns on each level.
  hasKey: ({ propertyId, key, isFirst }, row) =>
    someCell(propertyId, sql`f.key = ${key} ${raw(isFirst ? "AND f.ordinal = 0" : "")}`, row),
  cellText: raw("f.text"),
  contains,
  containsLong: contains,
  // Else it would become a join, which runs the statement for each ID while hash joins are disabled.
  among: (id, ids) => sql`(${id} IN (${ids})) IS TRUE`,
  listed: (ids) =>
    sql`SELECT l.id FROM json_array_elements_text(${JSON.stringify(ids)}::text::json) l (id)`,
  scanCandidates,
  scanIndex,
  keys: (values) =>
    values.flatMap((number, at): SortKey[] =>
      at % 2 === 0 ? [number ?? values[at + 1] ?? null] : []
    ),
};
