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
  /** Reads the first keys of rows that are in no order of them; absent if documents are read. */
  readonly firstKeys?: (ids: readonly string[]) => Promise<ReadonlyMap<string, SortKey>>;
  /** IDs of rows that belong to no group, whatever their first key is, by the key of the first sort. */
  readonly apart?: ReadonlyMap<SortKey, readonly (readonly string[])[]>;
  /** Returns the places of those rows apart that fulfil the query. */
  readonly placesOf?: (ids: readonly string[]) => Promise<readonly RowCursor[]>;
}

/** Keys or users with a query each at most: together they take as long as a few thousand rows. */
export const MAX_GROUPS = 1_000;
const MAX_CREATORS = 100;
/** Rows apart that are read at once if all of them are. */
const PORTION = 100;

/** Returns one page of the rows, in order. */
export async function rowsInGroups(
  search: GroupSearch,
  groups: RowGroups,
): Promise<readonly ListedRow[]> {
  const { query: { sorts: [sort, ...others], after, limit } } = search;
  if (sort === undefined) return [];
  const { keys, apart = new Map() } = groups;
  const compareValues = compareKeys(sort);
  const compare = compareRowCursors([sort, ...others]);
  const isBehind = (place: RowCursor) => after === undefined || compare(place, after) > 0;
  const values = [...new Set([...keys.keys(), ...apart.keys()])].toSorted(compareValues)
    .filter((value) => after === undefined || compareValues(value, after.keys[0] ?? null) >= 0);
  const page = createPage(compare, limit);
  const reading = {
    ...search,
    page,
    compare,
    isBehind,
    walks: await walksOf(search, groups),
    apartIds: new Set([...apart.values()].flat(2)),
  };
  for (const value of values) {
    await addApart(reading, groups, value);
    if (!await addFromAll(reading, groups, value)) await addKeyByKey(reading, groups, value);
    if (page.isFull()) break;
  }
  return page.rows();
}

interface Page {
  rows(): readonly ListedRow[];
  /** Adds rows, each once: one that changes its first key meanwhile can be found under both. */
  add(rows: readonly ListedRow[]): void;
  isFull(): boolean;
  /** Returns whether no row behind this place is on the page. */
  endsBefore(place: RowCursor): boolean;
}

/** Returns a page of the first of the rows that are added. */
function createPage(compare: (a: RowCursor, b: RowCursor) => number, limit: number): Page {
  let rows: readonly ListedRow[] = [];
  const isFull = () => rows.length >= limit;
  return {
    rows: () => rows,
    add(more) {
      rows = [...new Map([...more, ...rows].map((row) => [row.cursor.id, row])).values()]
        .sort((a, b) => compare(a.cursor, b.cursor)).slice(0, limit);
    },
    isFull,
    endsBefore(place) {
      const last = rows.at(-1);
      return isFull() && last !== undefined && compare(last.cursor, place) <= 0;
    },
  };
}

/** Rows that share the keys of the first sorts. */
interface Group {
  readonly sorts: readonly Sort[];
  readonly fixed: readonly SortKey[];
}

interface GroupReading extends GroupSearch {
  readonly page: Page;
  readonly compare: (a: RowCursor, b: RowCursor) => number;
  readonly isBehind: (place: RowCursor) => boolean;
  readonly apartIds: ReadonlySet<string>;
  /** All rows in the order of the further sorts; undefined if that takes too many groups. */
  readonly walks: readonly Group[] | undefined;
}

/**
 * Returns groups that have all rows in the order of the further sorts. No index has them in the order
 * of their IDs, but those of each user who created some.
 */
async function walksOf(
  { store, workspace, query: { databaseId, sorts: [sort, ...others] } }: GroupSearch,
  { field }: RowGroups,
): Promise<readonly Group[] | undefined> {
  if (field.kind !== "links") return undefined;
  if (others.length > 0) return [{ sorts: others, fixed: [] }];
  const creator = { kind: "row", member: "createdBy" } as const;
  const creators = await store.distinctKeys(workspace, {
    databaseId,
    field: creator,
    limit: MAX_CREATORS + 1,
  });
  if (creators.length > MAX_CREATORS) return undefined;
  const descending = sort?.descending ?? false;
  return creators.map((id) => ({ sorts: [{ field: creator, descending }], fixed: [id] }));
}

/** Adds the rows of a value that belong to no group. */
async function addApart(
  { query: { sorts, limit }, page, compare, isBehind, rest }: GroupReading,
  { apart, placesOf }: RowGroups,
  value: SortKey,
): Promise<void> {
  // If no sort follows, their IDs are their order; else rows side by side are read in less time.
  const isOrdered = sorts.length === 1;
  let places = (apart?.get(value) ?? []).flat().sort().map((id) => ({ keys: [value], id }));
  if (isOrdered) places = places.filter(isBehind).sort(compare);
  const portion = isOrdered ? limit : PORTION;
  for (let at = 0; at < places.length; at += portion) {
    const some = places.slice(at, at + portion);
    const found = await placesOf?.(some.map(({ id }) => id)) ?? [];
    page.add(found.filter(isBehind).map((cursor) => ({ cursor })));
    const last = some.at(-1);
    if (isOrdered && last !== undefined && page.endsBefore(last)) return;
    await rest();
  }
}

/**
 * Adds the rows with one of many keys from among all rows. Returns false if that would take more
 * queries than one for each key, even if some rows were added.
 */
async function addFromAll(
  reading: GroupReading,
  { keys, firstKeys }: RowGroups,
  value: SortKey,
): Promise<boolean> {
  const { page, walks, apartIds, rest } = reading;
  const own = new Set(keys.get(value));
  let left = own.size - (walks?.length ?? 0);
  if (firstKeys === undefined || walks === undefined || left <= 0) return false;
  for (const walk of walks) {
    for await (const rows of portions(reading, walk, value)) {
      if (left-- === 0) return false;
      const keyOf = await firstKeys(rows.map(({ cursor }) => cursor.id));
      page.add(
        rows.filter(({ cursor: { id } }) => !apartIds.has(id) && own.has(keyOf.get(id) ?? null)),
      );
      await rest();
    }
  }
  return true;
}

/** Adds the rows with each key of a value. */
async function addKeyByKey(
  reading: GroupReading,
  { field, keys }: RowGroups,
  value: SortKey,
): Promise<void> {
  const { query: { sorts: [sort, ...others] }, page, walks, apartIds, rest } = reading;
  const first = { field, descending: sort?.descending ?? false };
  for (const key of keys.get(value) ?? []) {
    // No index has the rows without links outside the trash.
    const isIndexed = field.kind !== "links" || field.withTrash;
    const parts = key === null && !isIndexed ? walks : undefined;
    for (const { sorts, fixed } of parts ?? [{ sorts: others, fixed: [] }]) {
      const group = { sorts: [first, ...sorts], fixed: [key, ...fixed] };
      for await (const rows of portions(reading, group, value)) {
        page.add(rows.filter(({ cursor }) => !apartIds.has(cursor.id)));
        await rest();
      }
    }
  }
}

/** Yields the next rows of a group, which all have this value, as long as they may be on the page. */
async function* portions(
  { store, workspace, query: { after: start, ...query }, isKnown, pacing, page }: GroupReading,
  { sorts, fixed }: Group,
  value: SortKey,
): AsyncGenerator<readonly ListedRow[]> {
  const isInside = start !== undefined && start.keys[0] === value;
  let after: RowCursor | undefined = isInside
    ? { keys: [...fixed, ...start.keys.slice(1)], id: start.id }
    : undefined;
  for (;;) {
    const rows = await store.listRows(workspace, {
      ...query,
      sorts,
      fixed,
      ...(after !== undefined && { after }),
    }, { isKnown, pacing });
    const placed = rows.map(({ cursor: { keys, id }, ...row }) => ({
      ...row,
      cursor: { keys: [value, ...keys.slice(fixed.length)], id },
    }));
    if (placed.length > 0) yield placed;
    const last = placed.at(-1);
    // Rows are fewer if their documents are long, too, but then they fill the page.
    if (last === undefined || rows.length < query.limit || page.endsBefore(last.cursor)) return;
    after = rows.at(-1)?.cursor;
  }
}
