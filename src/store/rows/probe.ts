/**
 * Finds out where a walk will be after a number of steps.
 *
 * @module
 */
import { firstOf, type Plan } from "../plan.ts";
import { orderOf, sourceOf, valueColumns } from "./sources.ts";
import type { LinkSpan, ValueRange } from "./index_ranges.ts";
import { sql } from "./sql.ts";
import type { RowSearch } from "./sort_prefix.ts";

/** A way through a span, or through the rows that are linked with one. */
interface Way {
  readonly span: ValueRange | LinkSpan;
  readonly descending: boolean;
}

/** What the walk meets after so many steps, judged or not; undefined where it ends before. */
export function* probe(
  { dialect, rowSet }: RowSearch,
  { span, descending }: Way,
  column: "value" | "id",
  steps: readonly number[],
): Plan<(number | string | undefined)[]> {
  const source = sourceOf(span, rowSet, dialect);
  const values = "linkedWith" in span ? [] : valueColumns(span, source);
  const order = orderOf([...values, source.id], descending);
  const answers = yield steps.map((step) =>
    sql`SELECT ${source[column]} FROM ${source.from} WHERE ${source.where}
      ORDER BY ${order} LIMIT 1 OFFSET ${step - 1}`
  );
  return answers.map((answer) => firstOf<[number | string]>(answer)?.[0]);
}
