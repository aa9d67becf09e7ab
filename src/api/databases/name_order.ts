/**
 * Queries sorted by names of users or titles of related rows. The store keeps only their IDs, so the
 * rows are read name by name.
 *
 * @module
 */
import type { KeyField, SortKey } from "../../content/query/filter.ts";
import { sortKey } from "../../content/schema/collation.ts";
import type { ListedRow, NodeReader, RowReader, UserStore } from "../../store/port.ts";
import { type GroupSearch, MAX_GROUPS, rowsInGroups } from "./group_order.ts";

export interface NameSearch extends GroupSearch {
  readonly store: RowReader & Pick<NodeReader, "titles"> & Pick<UserStore, "users">;
}

/** Returns one page of the rows, in order; undefined if they cannot be read name by name. */
export async function rowsByName(search: NameSearch): Promise<readonly ListedRow[] | undefined> {
  const [sort, ...others] = search.query.sorts;
  const field = sort?.nameOf;
  if (field === undefined || others.some(({ field }) => field.kind === "computed")) {
    return undefined;
  }
  const keys = await keysByName(search, field);
  return keys && await rowsInGroups(search, { field, keys });
}

/** Returns the keys by name. Null is the name of those without one, and the key of rows without any. */
async function keysByName(
  { store, workspace, query: { databaseId } }: NameSearch,
  field: KeyField,
): Promise<ReadonlyMap<SortKey, readonly SortKey[]> | undefined> {
  const query = { databaseId, field, limit: MAX_GROUPS + 1 };
  const keys = await store.distinctKeys(workspace, query);
  if (keys.length > MAX_GROUPS) return undefined;
  const names = field.kind === "links"
    ? await store.titles(workspace, keys)
    : new Map((await store.users(workspace, keys)).map(({ id, name }) => [id, name]));
  return Map.groupBy<SortKey, SortKey>([null, ...keys], (key) => {
    const name = names.get(String(key)) ?? "";
    return name === "" ? null : sortKey(name);
  });
}
