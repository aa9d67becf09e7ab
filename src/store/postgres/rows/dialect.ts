/**
 * Queries of rows in the words of PostgreSQL, which puts them in order itself: what crosses the
 * network is one page, not all that it is chosen from.
 *
 * @module
 */
import type { SortKey } from "../../../content/query/filter.ts";
import type { Dialect } from "../../rows/dialect.ts";
import { conditionsOf, type RowColumns, someCell } from "../../rows/filter_sql.ts";
import { isAskedFor, isInState, orderOf, sourceOf, valueColumns } from "../../rows/sources.ts";
import { join, raw, type Sql, sql } from "../../rows/sql.ts";
import { roomIn, type RowSearch, type SortPrefix } from "../../rows/sort_prefix.ts";
import { POSTGRES_READS } from "../dialect.ts";
import { behind, type Key, keyOf, orderBy, type Step, stepsOf } from "./keys.ts";

const gather: Dialect["scanCandidates"] = (search, prefix, spans) => {
  const { dialect, rowSet } = search;
  const row = { dialect, rowSet, id: raw("c.id") };
  const parts = spans.map((span) => {
    const { id, from, where } = sourceOf(span, rowSet, dialect);
    return sql`SELECT ${id} AS id FROM ${from} WHERE ${where}`;
  });
  const keys = keysOf(search, prefix, row);
  return sql`
    SELECT ${columnsOf(row, keys)}
    FROM (SELECT DISTINCT id FROM (${join(parts, " UNION ALL ")}) p) c
    ${nodeOf(row)} ${join(keys.map(({ joined }) => joined), " ")}
    WHERE ${isAskedFor(rowSet, dialect)} AND ${conditionsOf(search, prefix, row)}
      AND ${isBehind(search, prefix, { row, keys })}
    ORDER BY ${orderBy(stepsIn(search, row, keys))} LIMIT ${roomIn(search)}`;
};

const walk: Dialect["scanIndex"] = (search, prefix, { span, descending }) => {
  const { dialect, rowSet } = search;
  const source = sourceOf(span, rowSet, dialect);
  const row = { dialect, rowSet, id: source.id };
  const isOfNodes = span.field.kind === "row";
  const [first, ...others] = keysOf(search, prefix, row);
  // The walked index has the first key itself.
  const known = first && (isOfNodes ? first : { ...first, ...KEY_OF_CELL });
  const values = valueColumns(span, source);
  // With sorts left, rows of one value are put in the order of these.
  const order = others.length === 0
    ? orderOf([...values, source.id], descending)
    : sql`${orderOf(values, descending)}, ${orderBy(stepsIn(search, row, others))}`;
  // The index of a row's members holds nothing but rows: the node itself need not be looked at.
  const isRow = isOfNodes
    ? isInState(rowSet, dialect)
    : sql`d.ordinal = 0 AND ${isAskedFor(rowSet, dialect)}`;
  return sql`
    SELECT ${columnsOf(row, [...known ? [known] : [], ...others])}
    FROM ${source.from} ${isOfNodes ? raw("") : nodeOf(row)}
    ${join(others.map(({ joined }) => joined), " ")}
    WHERE ${source.where} AND ${isRow} AND ${conditionsOf(search, prefix, row)}
    ORDER BY ${order} LIMIT ${roomIn(search)}`;
};

const KEY_OF_CELL = { number: raw("d.number"), key: raw("d.key"), joined: raw("") };

/** The keys of the sorts that the stage does not fix. */
function keysOf({ sorts }: RowSearch, { fixed }: SortPrefix, row: RowColumns): Key[] {
  return sorts.slice(fixed.length).map((sort, index) => keyOf(sort, index, row));
}

/** The node of a row, found for each row on its own. */
function nodeOf({ rowSet, id }: RowColumns): Sql {
  return sql`CROSS JOIN LATERAL (
    SELECT * FROM nodes n WHERE n.workspace_id = ${rowSet.workspace} AND n.id = ${id} LIMIT 1
  ) n`;
}

function columnsOf({ id }: RowColumns, keys: readonly Key[]): Sql {
  return join([id, ...keys.flatMap(({ number, key }) => [number, key])], ", ");
}

/** The order of the keys, then of the ids. */
function stepsIn({ sorts }: RowSearch, { id }: RowColumns, keys: readonly Key[]): Step[] {
  const descending = sorts.at(-1)?.descending === true;
  return [...keys.flatMap((key) => stepsOf(key)), { column: id, descending, of: null }];
}

interface Keyed {
  readonly row: RowColumns;
  readonly keys: readonly Key[];
}

/** Whether a row comes behind where the stage goes on. */
function isBehind({ sorts }: RowSearch, { after, fixed }: SortPrefix, { row, keys }: Keyed): Sql {
  if (after === undefined) return raw("true");
  const starts = after.keys.slice(fixed.length);
  const steps = keys.slice(0, starts.length).flatMap((key, at) => stepsOf(key, starts[at]));
  const descending = sorts.at(-1)?.descending === true;
  return behind(
    after.id === undefined ? steps : [...steps, { column: row.id, descending, of: after.id }],
  );
}

/** How PostgreSQL is asked for rows. */
export const POSTGRES: Dialect = {
  indexed: raw,
  filtered: raw,
  inState: (column, inTrash) => raw(POSTGRES_READS.inState(column.text, inTrash)),
  // By the primary key: to descend an index costs a comparison of each column that is the same.
  hasKey: (propertyId, key, row) => someCell(propertyId, sql`f.key = ${key}`, row),
  contains: (column, text) => sql`strpos(${column}, ${text}) > 0`,
  scanCandidates: gather,
  scanIndex: walk,
  keys: (values) =>
    values.flatMap((number, at): SortKey[] =>
      at % 2 === 0 ? [number ?? values[at + 1] ?? null] : []
    ),
};
