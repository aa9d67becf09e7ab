/**
 * A search for one page of rows, and its stages: the rows that agree in the keys of the first sorts.
 *
 * @module
 */
import { assume } from "../../content/query/assume.ts";
import { compareCodePoints } from "../../content/query/collation.ts";
import type { Work } from "../../content/formulas/work.ts";
import type { Filter, Place, Sort, SortKey } from "../../content/query/filter.ts";
import { compareKeys } from "../../content/query/order.ts";
import type { Dialect } from "./dialect.ts";
import type { Realm } from "./sources.ts";
import type { Sql } from "./sql.ts";

/** How much one statement may do, so that a database in this process holds nobody up. */
export interface Pace {
  /** Looks of one statement: a row, and each condition and sort on it. */
  looks: number;
  /** Looks of the statement that is asked next. */
  asked: number;
  /** Rows that one statement may count. */
  readonly counted: number;
}

export interface Search {
  readonly dialect: Dialect;
  readonly realm: Realm;
  readonly sorts: readonly Sort[];
  /** In the order of the sorts. */
  readonly compare: (a: Place, b: Place) => number;
  readonly limit: number;
  /** Steps of the first walk. */
  readonly few: number;
  readonly pace: Pace;
  /** Looks that are left; as many as it takes where absent. */
  readonly work: Work | undefined;
  /** Filters in SQL, by the column of the row's id. */
  readonly judged: Map<Filter, Map<string, Sql>>;
  /** What is found so far, in order. */
  readonly places: Place[];
}

/** Where to go on: behind these keys, and of rows that have just these behind the id. */
export interface After {
  readonly keys: readonly SortKey[];
  /** Left out: behind all rows that have these keys. */
  readonly id?: string;
}

export interface Stage {
  /** The keys that its rows have of the first sorts. */
  readonly fixed: readonly SortKey[];
  /** What the query's filter still asks of them. */
  readonly filter: Filter | undefined;
  readonly after: After | undefined;
  /** How many stages of this depth there may be. */
  readonly width: number;
}

/** How many more rows the page takes. */
export function roomIn({ places, limit }: Search): number {
  return limit - places.length;
}

export function isFull(search: Search): boolean {
  return roomIn(search) <= 0;
}

/** Whether a row comes behind where to go on. */
export function isBehind({ sorts }: Search, { keys, id }: After, place: Place): boolean {
  for (const [index, sort] of sorts.slice(0, keys.length).entries()) {
    const difference = compareKeys(sort)(place.keys[index] ?? null, keys[index] ?? null);
    if (difference !== 0) return difference > 0;
  }
  if (id === undefined) return false;
  const direction = sorts.at(-1)?.descending === true ? -1 : 1;
  return direction * compareCodePoints(place.id, id) > 0;
}

/** Whether a filter on the field decides whether a row with this first value fulfils it. */
export function isSingle({ field, single }: Sort): boolean {
  return single === true || field.kind === "row";
}

/** The stage of the rows with this key of the next sort; undefined where none can fulfil the filter. */
export function stageOf(stage: Stage, sort: Sort, key: SortKey): Stage | undefined {
  const { filter, after, fixed } = stage;
  const asked = filter === undefined || !isSingle(sort)
    ? filter ?? true
    : assume(filter, { field: sort.field, key });
  if (asked === false) return undefined;
  const start = after?.keys[fixed.length];
  const isInside = start !== undefined && compareKeys(sort)(start, key) === 0;
  return {
    fixed: [...fixed, key],
    filter: asked === true ? undefined : asked,
    after: isInside ? after : undefined,
    width: stage.width,
  };
}
