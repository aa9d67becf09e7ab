/**
 * Finds out which value or ID a scan reaches after a number of steps.
 *
 * @module
 */
import { firstOf, type Plan } from "../plan.ts";
import { orderOf, type Source, sourceOf, valueColumns } from "./sources.ts";
import type { IndexScan } from "./dialect.ts";
import { raw, type Sql, sql, statistic } from "./sql.ts";
import type { RowSearch } from "./sort_prefix.ts";

/** The value or ID after a number of steps, without the filter; undefined past the end. */
export function* probe(
  { dialect, rowSet }: RowSearch,
  scan: IndexScan,
  column: "value" | "id",
  steps: number,
): Plan<number | string | undefined> {
  const source = sourceOf(scan.indexRange, rowSet, dialect);
  const [answer] = yield [columnAfter(source, scan, column, steps)];
  return firstOf<[number | string]>(answer)?.[0];
}

/** The end of a scan of an index range. */
export interface ScanEnd {
  /** True if the range has no rows. */
  readonly isEmpty: boolean;
  /** The value after the last step, without the filter; undefined past the end. */
  readonly value: number | string | undefined;
  /** True if more than a few rows have this value. */
  readonly isShared: boolean;
}

/** Returns where a scan of so many steps ends. */
export function* probeEnd(
  { dialect, rowSet }: RowSearch,
  scan: IndexScan,
  { steps, few }: { readonly steps: number; readonly few: number },
): Plan<ScanEnd> {
  const source = sourceOf(scan.indexRange, rowSet, dialect);
  const { from, where, value } = source;
  const [first, last] = yield [
    columnAfter(source, scan, "value", 1),
    statistic(sql`SELECT e.value, (
        SELECT 1 FROM ${from} WHERE ${where} AND ${value} = e.value LIMIT 1 OFFSET ${few}
      ) FROM (${columnAfter(source, scan, "value", steps)}) e`),
  ];
  const [end, more = null] = firstOf<[number | string, number | null]>(last) ?? [];
  return { isEmpty: firstOf(first) === undefined, value: end, isShared: more !== null };
}

function columnAfter(
  source: Source,
  { indexRange, descending }: IndexScan,
  column: "value" | "id",
  steps: number,
): Sql {
  const order = orderOf([...valueColumns(indexRange, source), source.id], descending);
  return sql`SELECT ${source[column]} AS ${raw(column)} FROM ${source.from} WHERE ${source.where}
    ORDER BY ${order} LIMIT 1 OFFSET ${steps - 1}`;
}
