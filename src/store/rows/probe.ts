/**
 * Finds out which value or ID a scan reaches after a number of steps.
 *
 * @module
 */
import { firstOf, type Plan } from "../plan.ts";
import { orderOf, sourceOf, valueColumns } from "./sources.ts";
import type { IndexScan } from "./dialect.ts";
import { sql } from "./sql.ts";
import type { RowSearch } from "./sort_prefix.ts";

/** The value or ID after each number of steps, without the filter; undefined past the end. */
export function* probe(
  { dialect, rowSet }: RowSearch,
  { indexRange, descending }: IndexScan,
  column: "value" | "id",
  steps: readonly number[],
): Plan<(number | string | undefined)[]> {
  const source = sourceOf(indexRange, rowSet, dialect);
  const order = orderOf([...valueColumns(indexRange, source), source.id], descending);
  const answers = yield steps.map((step) =>
    sql`SELECT ${source[column]} FROM ${source.from} WHERE ${source.where}
      ORDER BY ${order} LIMIT 1 OFFSET ${step - 1}`
  );
  return answers.map((answer) => firstOf<[number | string]>(answer)?.[0]);
}
