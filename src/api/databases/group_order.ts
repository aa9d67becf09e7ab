/**
 * Queries whose first sort is by something that the store does not keep, but that follows from a key
 * that it keeps. Rows with one such key are a group, and are read group by group.
 *
 * @module
 */
import type { KeyField, RowCursor, RowQuery, Sort, SortKey } from "../../content/query/filter.ts";
import { compareKeys, compareRowCursors } from "../../content/query/order.ts";
import type { ListedRow, Pacing, RowListing, RowReader } from "../../store/port.ts";
import type { Rest } from "../../shared/yield_to_event_loop.ts";

export interface GroupSearch extends RowListing {
  readonly store: RowReader;
  readonly workspace: string;
  readonly query: RowQuery;
  readonly pacing: Pacing;
  /** Called between two queries, because each of them may be too short to pause. */
  readonly rest: Rest;
}

export interface RowGroups {
  /** The field whose first key names the group of a row. */
  readonly field: KeyField;
  /** These first keys, null for rows without one, by the key of the first sort. */
  readonly keys: ReadonlyMap<SortKey, readonly SortKey[]>;
  /** Rows that belong to no group, whatever their first key is; only those that fulfil the query. */
  readonly apart?: readonly RowCursor[];
  /** Their IDs, and those of rows that do not fulfil the query. */
  readonly apartIds?: ReadonlySet<string>;
}

/** Keys or users with a query each at most: together they take as long as a few thousand rows. */
export const MAX_GROUPS = 1_000;
const MAX_CREATORS = 100;

/** Returns one page of the rows, in order. */
export async function rowsInGroups(
  search: GroupSearch,
  { field, keys, apart = [], apartIds = new Set() }: RowGroups,
): Promise<readonly ListedRow[]> {
  const { query: { sorts: [sort, ...others], after, limit } } = search;
  if (sort === undefined) return [];
  const compareValues = compareKeys(sort);
  const compare = compareRowCursors([sort, ...others]);
  const isBehind = (place: RowCursor) => after === undefined || compare(place, after) > 0;
  const apartByValue = Map.groupBy(apart.filter(isBehind), ({ keys: [value = null] }) => value);
  const values = [...new Set([...keys.keys(), ...apartByValue.keys()])].toSorted(compareValues)
    .filter((value) => after === undefined || compareValues(value, after.keys[0] ?? null) >= 0);
  let found: readonly ListedRow[] = [];
  for (const value of values) {
    const own = apartByValue.get(value)?.map((cursor) => ({ cursor })) ?? [];
    found = merged([...found, ...own], compare).slice(0, limit);
    for (const key of keys.get(value) ?? []) {
      for (const group of await groupsOf(search, { field, key })) {
        const more = await rowsOf(search, { ...group, value, apartIds });
        found = merged([...found, ...more], compare).slice(0, limit);
        await search.rest();
      }
    }
    if (found.length >= limit) break;
  }
  return found;
}

/** Rows that share the keys of the first sorts. */
interface Group {
  readonly sorts: readonly Sort[];
  readonly fixed: readonly SortKey[];
}

interface KeyOfField {
  readonly field: KeyField;
  readonly key: SortKey;
}

/**
 * The groups of a key. No index has the rows without links; in the order of their IDs they are found
 * user by user, by who created them.
 */
async function groupsOf(
  { store, workspace, query: { databaseId, sorts: [sort, ...others] } }: GroupSearch,
  { field, key }: KeyOfField,
): Promise<readonly Group[]> {
  const descending = sort?.descending ?? false;
  const order = [{ field, descending }, ...others];
  if (key !== null || field.kind !== "links" || others.length > 0) {
    return [{ sorts: order, fixed: [key] }];
  }
  const creator = { kind: "row", member: "createdBy" } as const;
  const creators = await store.distinctKeys(workspace, {
    databaseId,
    field: creator,
    limit: MAX_CREATORS + 1,
  });
  if (creators.length > MAX_CREATORS) return [{ sorts: order, fixed: [key] }];
  const byCreator = [...order, { field: creator, descending }];
  return creators.map((id) => ({ sorts: byCreator, fixed: [key, id] }));
}

interface GroupRead extends Group {
  /** The key of the first sort that all rows of the group have. */
  readonly value: SortKey;
  readonly apartIds: ReadonlySet<string>;
}

/** Returns the next rows of a group. */
async function rowsOf(
  { store, workspace, query: { after: start, ...query }, isKnown, pacing }: GroupSearch,
  { sorts, fixed, value, apartIds }: GroupRead,
): Promise<ListedRow[]> {
  const isInside = start !== undefined && start.keys[0] === value;
  let after: RowCursor | undefined = isInside
    ? { keys: [...fixed, ...start.keys.slice(1)], id: start.id }
    : undefined;
  const found: ListedRow[] = [];
  for (let isLast = false; !isLast && found.length < query.limit;) {
    const rows = await store.listRows(workspace, {
      ...query,
      sorts,
      fixed,
      ...(after !== undefined && { after }),
    }, { isKnown, pacing });
    found.push(...rows.filter(({ cursor }) => !apartIds.has(cursor.id)));
    after = rows.at(-1)?.cursor;
    // Rows are fewer if their documents are long, too, but then they fill the page.
    isLast = rows.length < query.limit;
  }
  return found.map(({ cursor: { keys, id }, ...row }) => ({
    ...row,
    cursor: { keys: [value, ...keys.slice(fixed.length)], id },
  }));
}

/** Each row once, in order: one that changes its first key meanwhile can be found under both. */
function merged(
  rows: readonly ListedRow[],
  compare: (a: RowCursor, b: RowCursor) => number,
): ListedRow[] {
  return [...new Map(rows.toReversed().map((row) => [row.cursor.id, row])).values()]
    .sort((a, b) => compare(a.cursor, b.cursor));
}
