/**
 * Queries sorted by names of users or titles of related rows. The store keeps only their IDs, so the
 * rows are read name by name.
 *
 * @module
 */
import type { KeyField, RowCursor, RowQuery, Sort, SortKey } from "../../content/query/filter.ts";
import { compareKeys, compareRowCursors } from "../../content/query/order.ts";
import { sortKey } from "../../content/schema/collation.ts";
import type {
  ListedRow,
  NodeReader,
  Pacing,
  RowListing,
  RowReader,
  UserStore,
} from "../../store/port.ts";
import type { Rest } from "../../shared/yield_to_event_loop.ts";

export interface NameSearch extends RowListing {
  readonly store: RowReader & Pick<NodeReader, "titles"> & Pick<UserStore, "users">;
  readonly workspace: string;
  readonly query: RowQuery;
  readonly pacing: Pacing;
  /** Called between two queries, because each of them may be too short to pause. */
  readonly rest: Rest;
}

/** Maximum number of users or rows whose names are compared. */
const MAX_NAMES = 1_000;

/** Returns one page of the rows, in order; undefined if they cannot be read name by name. */
export async function rowsByName(search: NameSearch): Promise<readonly ListedRow[] | undefined> {
  const { query: { sorts, after, limit } } = search;
  const [sort, ...others] = sorts;
  const field = sort?.nameOf;
  const isComputed = others.some((other) => other.field.kind === "computed");
  if (sort === undefined || field === undefined || isComputed) return undefined;
  const groups = await groupsByName(search, field);
  if (groups === undefined) return undefined;
  const compareNames = compareKeys(sort);
  const names = [...groups.keys()].toSorted(compareNames)
    .filter((name) => after === undefined || compareNames(name, after.keys[0] ?? null) >= 0);
  const compare = compareRowCursors(sorts);
  const order = [{ field, descending: sort.descending }, ...others];
  let found: readonly ListedRow[] = [];
  for (const name of names) {
    for (const key of groups.get(name) ?? []) {
      const more = await rowsOf(search, { sorts: order, name, key });
      found = merged([...found, ...more], compare).slice(0, limit);
      await search.rest();
    }
    if (found.length >= limit) break;
  }
  return found;
}

/** Returns the keys by name. Null is the name of those without one, and the key of rows without any. */
async function groupsByName(
  { store, workspace, query: { databaseId } }: NameSearch,
  field: KeyField,
): Promise<ReadonlyMap<SortKey, readonly SortKey[]> | undefined> {
  const query = { databaseId, field, limit: MAX_NAMES + 1 };
  const keys = await store.distinctKeys(workspace, query);
  if (keys.length > MAX_NAMES) return undefined;
  const names = field.kind === "links"
    ? await store.titles(workspace, keys)
    : new Map((await store.users(workspace, keys)).map(({ id, name }) => [id, name]));
  return Map.groupBy<SortKey, SortKey>([null, ...keys], (key) => {
    const name = names.get(String(key)) ?? "";
    return name === "" ? null : sortKey(name);
  });
}

interface NamedKey {
  readonly sorts: readonly Sort[];
  readonly name: SortKey;
  readonly key: SortKey;
}

/** Returns the next rows whose first key is this one. */
async function rowsOf(
  { store, workspace, query, isKnown, pacing }: NameSearch,
  { sorts, name, key }: NamedKey,
): Promise<ListedRow[]> {
  const { after, ...rest } = query;
  const isInside = after !== undefined && after.keys[0] === name;
  const rows = await store.listRows(workspace, {
    ...rest,
    sorts,
    fixed: [key],
    ...(isInside && { after: withFirst(after, key) }),
  }, { isKnown, pacing });
  return rows.map((row) => ({ ...row, cursor: withFirst(row.cursor, name) }));
}

function withFirst({ keys: [, ...others], id }: RowCursor, key: SortKey): RowCursor {
  return { keys: [key, ...others], id };
}

/** Each row once, in order: one that changes its first key meanwhile can be found under both. */
function merged(
  rows: readonly ListedRow[],
  compare: (a: RowCursor, b: RowCursor) => number,
): ListedRow[] {
  return [...new Map(rows.toReversed().map((row) => [row.cursor.id, row])).values()]
    .sort((a, b) => compare(a.cursor, b.cursor));
}
