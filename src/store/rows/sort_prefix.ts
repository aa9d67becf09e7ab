/**
 * A search for one page of rows, and its stages: the rows that agree in the keys of the first sorts.
 *
 * @module
 */
import { evaluatePartially } from "../../content/query/partial_evaluation.ts";
import { compareCodePoints } from "../../content/schema/collation.ts";
import type { ComputeBudget } from "../../content/formulas/compute_budget.ts";
import type { Filter, RowCursor, Sort, SortKey } from "../../content/query/filter.ts";
import { compareKeys } from "../../content/query/order.ts";
import type { Dialect } from "./dialect.ts";
import type { RowSet } from "./sources.ts";
import type { Sql } from "./sql.ts";

/** How much one statement may do, so that a database in this process does not block it. */
export interface Pace {
  /** Looks of one statement: a row, and each condition and sort on it. */
  looks: number;
  /** Looks of the statement that is asked next. */
  asked: number;
  /** Rows that one statement may count. */
  readonly counted: number;
}

export interface RowSearch {
  readonly dialect: Dialect;
  readonly rowSet: RowSet;
  readonly sorts: readonly Sort[];
  /** In the order of the sorts. */
  readonly compare: (a: RowCursor, b: RowCursor) => number;
  readonly limit: number;
  /** Steps of the first walk. */
  readonly few: number;
  readonly pace: Pace;
  /** Looks that are left; as many as it takes where absent. */
  readonly work: ComputeBudget | undefined;
  /** Filters in SQL, by the column of the row's id. */
  readonly filtered: Map<Filter, Map<string, Sql>>;
  /** The cursors found so far, in order. */
  readonly cursors: RowCursor[];
}

/** Where to go on: behind these keys, and of rows that have just these behind the id. */
export interface ResumePoint {
  readonly keys: readonly SortKey[];
  /** Left out: behind all rows that have these keys. */
  readonly id?: string;
}

export interface SortPrefix {
  /** The keys that its rows have of the first sorts. */
  readonly fixed: readonly SortKey[];
  /** What the query's filter still asks of them. */
  readonly filter: Filter | undefined;
  readonly after: ResumePoint | undefined;
  /** How many stages of this depth there may be. */
  readonly width: number;
}

/** How many more rows the page takes. */
export function roomIn({ cursors, limit }: RowSearch): number {
  return limit - cursors.length;
}

export function isFull(search: RowSearch): boolean {
  return roomIn(search) <= 0;
}

/** Whether a row comes behind the resume point. */
export function isBehind(
  { sorts }: RowSearch,
  { keys, id }: ResumePoint,
  cursor: RowCursor,
): boolean {
  for (const [index, sort] of sorts.slice(0, keys.length).entries()) {
    const difference = compareKeys(sort)(cursor.keys[index] ?? null, keys[index] ?? null);
    if (difference !== 0) return difference > 0;
  }
  if (id === undefined) return false;
  const direction = sorts.at(-1)?.descending === true ? -1 : 1;
  return direction * compareCodePoints(cursor.id, id) > 0;
}

/** Whether a filter on the field decides whether a row with this first value fulfils it. */
export function isSingle({ field, single }: Sort): boolean {
  return single === true || field.kind === "row";
}

/** The stage of the rows with this key of the next sort; undefined where none can fulfil the filter. */
export function nextPrefix(prefix: SortPrefix, sort: Sort, key: SortKey): SortPrefix | undefined {
  const { filter, after, fixed } = prefix;
  const asked = filter === undefined || !isSingle(sort)
    ? filter ?? true
    : evaluatePartially(filter, { field: sort.field, key });
  if (asked === false) return undefined;
  const start = after?.keys[fixed.length];
  const isInside = start !== undefined && compareKeys(sort)(start, key) === 0;
  return {
    fixed: [...fixed, key],
    filter: asked === true ? undefined : asked,
    after: isInside ? after : undefined,
    width: prefix.width,
  };
}
