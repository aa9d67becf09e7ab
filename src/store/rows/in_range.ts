/**
 * Ranges as SQL conditions.
 *
 * @module
 */
import type { Range } from "../../content/query/ranges.ts";
import { raw, type Sql, sql } from "./sql.ts";

/** Conditions that limit a column to a range. */
export function inRange(column: Sql, { from, to }: Range): Sql[] {
  if (from !== undefined && from === to) return [sql`${column} = ${from.value}`];
  return [
    ...(from === undefined
      ? []
      : [sql`${column} ${raw(from.excluded ? ">" : ">=")} ${from.value}`]),
    ...(to === undefined ? [] : [sql`${column} ${raw(to.excluded ? "<" : "<=")} ${to.value}`]),
  ];
}
