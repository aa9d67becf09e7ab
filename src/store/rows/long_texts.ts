/**
 * How many rows one statement may read, by the lengths of the texts that it searches.
 *
 * @module
 */
import type { Filter } from "../../content/query/filter.ts";
import { type Plan, runOne } from "../plan.ts";
import type { RowSearch } from "./sort_prefix.ts";
import { raw, type Sql, sql, statistic } from "./sql.ts";

/** UTF-16 code units up to which a text is short. */
export const SHORT_TEXT = 2_000;
/** Bytes of longer texts that one statement may read, whichever rows it finds. */
const MOST_READ = 4_000_000;
/** Bytes of texts so short that no number of them that one statement looks through is too much. */
const LEAST_COUNTED = 8_192;

/** Returns how many rows one statement may read, even if they are those with the longest texts. */
export function* mostRows(
  search: Pick<RowSearch, "dialect" | "rowSet">,
  filter: Filter | undefined,
): Plan<number> {
  const properties = filter === undefined ? [] : [...textsIn(filter)];
  let most = Infinity;
  for (const propertyId of properties) {
    const lengths = yield* runOne(statistic(lengthsSql(search, propertyId)));
    most = Math.min(most, countWithin(lengths, MOST_READ / properties.length));
  }
  return Math.max(1, most);
}

/** Returns the properties whose texts a filter reads. */
export function textsIn(filter: Filter): ReadonlySet<string> {
  if (filter.op === "not") return textsIn(filter.filter);
  if (filter.op === "and" || filter.op === "or") {
    return new Set(filter.filters.flatMap((part) => [...textsIn(part)]));
  }
  const isText = filter.op === "test" && filter.test.is === "text" && filter.field.kind === "cells";
  return new Set(isText ? [filter.field.propertyId] : []);
}

/** Selects the lengths of the longest texts of a property, as many as can matter. */
function lengthsSql(
  { dialect, rowSet }: Pick<RowSearch, "dialect" | "rowSet">,
  propertyId: string,
): Sql {
  return sql`
    SELECT t.bytes FROM ${dialect.indexed("long_texts t", "long_texts_by_length")}
    WHERE t.workspace_id = ${rowSet.workspace} AND t.database_id = ${rowSet.databaseId}
      AND t.property_id = ${propertyId} AND t.bytes > ${LEAST_COUNTED}
    ORDER BY t.bytes DESC LIMIT ${raw(String(Math.ceil(MOST_READ / LEAST_COUNTED)))}`;
}

/** Returns how many of these lengths, longest first, are together at most `most`. */
function countWithin(lengths: Iterable<readonly unknown[]>, most: number): number {
  let [count, left] = [0, most];
  for (const [length] of lengths) {
    if ((left -= Number(length)) < 0) return count;
    count++;
  }
  return Infinity;
}
