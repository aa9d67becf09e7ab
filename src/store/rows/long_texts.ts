/**
 * How many rows one statement may read, by the lengths of the texts that it searches.
 *
 * @module
 */
import type { Filter } from "../../content/query/filter.ts";
import { SHORT } from "../../shared/text_search.ts";
import { type Plan, runOne } from "../plan.ts";
import type { TextTest } from "../text_blocks.ts";
import type { RowSearch } from "./sort_prefix.ts";
import { raw, type Sql, sql, statistic } from "./sql.ts";

/** UTF-16 code units up to which a text is short. */
export const SHORT_TEXT = 2_000;
/** Bytes of longer texts that one statement may read, whichever rows it finds. */
const MOST_READ = 4_000_000;
/** Passes in the time in which a text that may repeat itself is looked for. */
const SLOW_PASSES = 4;
/** Bytes of texts so short that no number of them that one statement looks through is too much. */
const LEAST_COUNTED = 8_192;

/** Returns how many rows one statement may read, even if they are those with the longest texts. */
export function* mostRows(
  search: Pick<RowSearch, "dialect" | "rowSet">,
  filter: Filter | undefined,
): Plan<number> {
  const conditions = filter === undefined ? [] : conditionsOnTexts(filter);
  const properties = propertiesOf(conditions);
  const passes = conditions.reduce((sum, one) => sum + one.passes, properties.size);
  let most = Infinity;
  for (const propertyId of properties) {
    const lengths = yield* runOne(statistic(lengthsSql(search, propertyId)));
    most = Math.min(most, countWithin(lengths, MOST_READ / passes));
  }
  return Math.max(1, most);
}

/** Returns the properties whose texts a filter reads. */
export function textsIn(filter: Filter): ReadonlySet<string> {
  return propertiesOf(conditionsOnTexts(filter));
}

interface TextCondition {
  readonly propertyId: string;
  /** How often it goes through a text, in the time in which that is read for all conditions. */
  readonly passes: number;
}

function propertiesOf(conditions: readonly TextCondition[]): ReadonlySet<string> {
  return new Set(conditions.map(({ propertyId }) => propertyId));
}

function conditionsOnTexts(filter: Filter): TextCondition[] {
  if (filter.op === "not") return conditionsOnTexts(filter.filter);
  if (filter.op === "and" || filter.op === "or") return filter.filters.flatMap(conditionsOnTexts);
  if (filter.op !== "test" || filter.field.kind !== "cells" || filter.test.is !== "text") return [];
  return [{ propertyId: filter.field.propertyId, passes: passesOf(filter.test) }];
}

function passesOf({ how, text }: TextTest): number {
  if (how === "contains") return text.length > SHORT ? SLOW_PASSES : 1;
  return how === "ends" ? 1 : 0;
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
