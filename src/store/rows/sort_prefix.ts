/**
 * A search for one page of rows, and its sort prefixes: rows that share the keys of the first
 * sorts.
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
import type { TextSearch } from "./text_search.ts";

/** How much one statement may do, so that an embedded database does not block the process. */
export interface Pace {
  /** Checks of one statement: one for each row, and one for each condition and sort on it. */
  checks: number;
  /** Checks of the next statement. */
  nextChecks: number;
  /** Rows that all counts of one plan may count together. */
  readonly counted: number;
  /** True if each count is a step of its own. */
  readonly countsApart: boolean;
}

/** The place of a row, and its version there. */
export interface VersionedCursor extends RowCursor {
  readonly version: number;
}

export interface RowSearch {
  readonly dialect: Dialect;
  readonly rowSet: RowSet;
  readonly sorts: readonly Sort[];
  /** In the order of the sorts. */
  readonly compare: (a: RowCursor, b: RowCursor) => number;
  readonly limit: number;
  /** Steps of the first scan. */
  readonly few: number;
  readonly pace: Pace;
  /** Rows that one statement may read, because texts of some may be long. */
  readonly mostRows: number;
  /** Checks that are left; undefined if they are unlimited. */
  readonly budget: ComputeBudget | undefined;
  /** Filters as SQL, by the column of the row's ID. */
  readonly filtered: Map<Filter, Map<string, Sql>>;
  /** Searches of text blocks, by what they search for. */
  readonly texts: Map<string, TextSearch>;
  /** How many rows were checked so far. */
  checked: number;
  /** The cursors found so far, in order. */
  readonly cursors: VersionedCursor[];
}

/**
 * The place to resume: after these keys, or among the rows with exactly these keys, after the ID.
 */
export interface ResumePoint {
  readonly keys: readonly SortKey[];
  /** Undefined: after all rows with these keys. */
  readonly id?: string;
}

export interface SortPrefix {
  /** The keys of the first sorts, which all rows of the prefix share. */
  readonly fixed: readonly SortKey[];
  /** The part of the query's filter that the fixed keys do not decide. */
  readonly filter: Filter | undefined;
  readonly after: ResumePoint | undefined;
  /** The last place at which rows are of use. */
  readonly until?: ResumePoint;
  /** How many sort prefixes of this length there may be. */
  readonly width: number;
}

/** How many more rows fit the page. */
export function roomIn({ cursors, limit }: RowSearch): number {
  return limit - cursors.length;
}

export function isFull(search: RowSearch): boolean {
  return roomIn(search) <= 0;
}

/** Returns whether a row comes after the resume point. */
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

/**
 * Returns whether the field has one value at most, so that its first value decides filters on it.
 */
export function isSingle({ field, single }: Sort): boolean {
  return single === true || field.kind === "row";
}

/**
 * Extends a sort prefix by a key of the next sort; undefined if no such row can pass the filter.
 */
export function nextPrefix(prefix: SortPrefix, sort: Sort, key: SortKey): SortPrefix | undefined {
  const { filter, after, fixed } = prefix;
  const residual = filter === undefined || !isSingle(sort)
    ? filter ?? true
    : evaluatePartially(filter, { field: sort.field, key });
  if (residual === false) return undefined;
  const start = after?.keys[fixed.length];
  const isInside = start !== undefined && compareKeys(sort)(start, key) === 0;
  return {
    fixed: [...fixed, key],
    filter: residual === true ? undefined : residual,
    after: isInside ? after : undefined,
    width: prefix.width,
  };
}
