/**
 * Sort keys in SQL: each sort as columns to order by, one after the other.
 *
 * @module
 */
import type { Sort, SortKey } from "../../../content/query/filter.ts";
import { firstLink, type RowColumns } from "../../rows/filter_sql.ts";
import { MEMBER_COLUMNS } from "../../rows/sources.ts";
import { valueClassOf } from "../../rows/index_ranges.ts";
import { always, join, raw, type Sql, sql, type Value } from "../../rows/sql.ts";

/** The first value of a sort's field: either its number or its key is null, or both. */
export interface Key {
  readonly sort: Sort;
  readonly number: Sql;
  readonly key: Sql;
  /** The join that reads them for a row. */
  readonly joined: Sql;
}

/** The key of the sort with this index. */
export function keyOf(sort: Sort, index: number, row: RowColumns): Key {
  const { field } = sort;
  if (field.kind === "row") {
    const column = raw(`n.${MEMBER_COLUMNS[field.member]}`);
    const isNumber = valueClassOf(field.member) === "number";
    const [number, key] = isNumber ? [column, NOTHING] : [NOTHING, column];
    return { sort, number, key, joined: raw("") };
  }
  const alias = `k${index}`;
  return {
    sort,
    number: raw(`${alias}.number`),
    key: raw(`${alias}.key`),
    // The limit keeps it a look-up for each row.
    joined: sql`LEFT JOIN LATERAL (${firstValue(sort, row)} LIMIT 1) ${raw(alias)} ON true`,
  };
}

const NOTHING = raw("NULL::text");

function firstValue({ field }: Sort, row: RowColumns): Sql {
  if (field.kind === "links") {
    return sql`SELECT NULL::float8 AS number, ${firstLink(field, row)} AS key`;
  }
  if (field.kind !== "cells") throw new Error("A store cannot sort by a computed property");
  return sql`SELECT s.number, s.key FROM cells s
    WHERE s.workspace_id = ${row.rowSet.workspace} AND s.node_id = ${row.id}
      AND s.property_id = ${field.propertyId} AND s.ordinal = 0`;
}

/** A column that rows are ordered by, nulls last, and its value at the resume point. */
export interface Step {
  readonly column: Sql;
  readonly descending: boolean;
  readonly of: Value;
}

/** The columns of a key; `start` is the sort key at the resume point. */
export function stepsOf({ sort, number, key }: Key, start: SortKey = null): Step[] {
  const { descending, values } = sort;
  if (values !== undefined) {
    const all = values.map((value) => value.number ?? value.key);
    const column = sql`CASE WHEN coalesce(${number}::text, ${key}) IS NOT NULL THEN coalesce(
      array_position(
        ARRAY(SELECT jsonb_array_elements(${JSON.stringify(all)}::text::jsonb)),
        coalesce(to_jsonb(${number}), to_jsonb(${key}))
      ), 0) END`;
    return [{ column, descending, of: start === null ? null : all.indexOf(start) + 1 }];
  }
  const steps = [
    { column: number, descending, of: typeof start === "number" ? start : null },
    { column: key, descending, of: typeof start === "string" ? start : null },
  ].filter(({ column }) => column !== NOTHING);
  return descending ? steps.toReversed() : steps;
}

/** The `ORDER BY` terms of these columns. */
export function orderBy(steps: readonly Step[]): Sql {
  return join(
    steps.map(({ column, descending }) =>
      sql`${column} ${raw(descending ? "DESC" : "ASC")} NULLS LAST`
    ),
    ", ",
  );
}

/** Returns whether a row comes after the values of these columns. */
export function isAfter(steps: readonly Step[]): Sql {
  return steps.reduceRight((rest, { column, descending, of }) => {
    if (of === null) return sql`(${column} IS NULL AND ${rest})`;
    const beyond = sql`${column} ${raw(descending ? "<" : ">")} ${of} OR ${column} IS NULL`;
    return sql`(${beyond} OR (${column} = ${of} AND ${rest}))`;
  }, always(false));
}
