/**
 * Queries sorted by a rollup. Its value is the same for all rows that are related to the same row
 * alone, so it is computed once for each of these, and the rows are read group by group. Rows that
 * are related to several are merged in, one by one.
 *
 * @module
 */
import { matches, type QueryRow } from "../../content/query/evaluate.ts";
import {
  type LinksField,
  NEWEST_FIRST,
  type RowCursor,
  type RowQuery,
  type Sort,
  type SortKey,
} from "../../content/query/filter.ts";
import { cursorOf } from "../../content/query/order.ts";
import { fitting } from "../../content/values/page_end.ts";
import type { FoundRow, ListedRow, NodeReader, RowReader } from "../../store/port.ts";
import { type GroupSearch, MAX_GROUPS, type RowGroups, rowsInGroups } from "./group_order.ts";
import type { RollupKeys } from "./rollup_keys.ts";
import { nodePortions } from "../../shared/node_portions.ts";

export interface RollupSearch extends GroupSearch {
  readonly store: RowReader & Pick<NodeReader, "firstNodes" | "living">;
  readonly rollups: RollupKeys;
  /** Number of rows that take long to compute. */
  readonly from: number;
  /** Computes the values that the query needs of these rows, in the same order. */
  view(rows: readonly FoundRow[]): Promise<readonly QueryRow[]>;
}

/** Groups that are read in the time in which `from` rows are computed. */
const GROUPS = 200;
/** Groups that are read in the time of what has to be read before them. */
const FEWEST = 50;
/** Number of rows with several links at most. */
const MAX_APART = 5_000;
/** Rows whose links are read at once. */
const PORTION = 200;

/** Returns one page of the rows, in order; undefined if they cannot be read group by group. */
export async function rowsByRollup(
  search: RollupSearch,
): Promise<readonly ListedRow[] | undefined> {
  const { query: { sorts: [sort, ...others] }, rollups } = search;
  const field = sort && rollups.relationOf(sort.field);
  if (sort === undefined || field === undefined) return undefined;
  if (others.some(({ field }) => field.kind === "computed")) return undefined;
  const groups = await groupsByRollup(search, { sort, field });
  if (groups === undefined) return undefined;
  // Only the rows of the page are read: many groups can have the same value.
  return await withNodes(search, await rowsInGroups({ ...search, isKnown: () => true }, groups));
}

interface RollupSort {
  readonly sort: Sort;
  readonly field: LinksField;
}

async function groupsByRollup(
  search: RollupSearch,
  { sort, field }: RollupSort,
): Promise<RowGroups | undefined> {
  const { store, workspace, query: { databaseId }, rollups, from } = search;
  const keys = await store.distinctKeys(workspace, { databaseId, field, limit: MAX_GROUPS + 1 });
  if (keys.length > MAX_GROUPS) return undefined;
  if (!await hasRows(search, Math.ceil(from * Math.max(FEWEST, keys.length) / GROUPS))) {
    return undefined;
  }
  const apart = await linksOfSeveral(search, field);
  if (apart === undefined) return undefined;
  const living = await store.living(workspace, keys);
  const related = [null, ...keys];
  // Rows with the same links have the same value.
  const together = [...Map.groupBy(apart.keys(), (id) => apart.get(id)?.join()).values()];
  const values = await rollups.keysOf(sort, [
    ...related.map((key) => key !== null && living.has(key) ? [key] : []),
    ...together.map(([id = ""]) => apart.get(id) ?? []),
  ]);
  return values && {
    field,
    keys: Map.groupBy<SortKey, SortKey>(related, (_, index) => values[index] ?? null),
    firstKeys: async (ids) => {
      const links = await store.links(workspace, { ...field, ids });
      return new Map([...links].map(([id, [first = null]]) => [id, first]));
    },
    apart: Map.groupBy(together, (_, index) => values[related.length + index] ?? null),
    placesOf: (ids) => placesOf(search, ids),
  };
}

/** Returns whether at least so many rows fulfil the query. */
async function hasRows(
  { store, workspace, query: { databaseId, inTrash, filter }, pacing }: RollupSearch,
  limit: number,
): Promise<boolean> {
  const query = { databaseId, inTrash, ...(filter && { filter }), sorts: NEWEST_FIRST, limit };
  const rows = await store.listRows(workspace, query, { isKnown: () => true, pacing });
  return rows.length === limit;
}

/** Returns the links of all rows with several, by their IDs; undefined if they are too many. */
async function linksOfSeveral(
  { store, workspace, rest }: RollupSearch,
  { relationId, side }: LinksField,
): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  const found = new Map<string, readonly string[]>();
  const limit = MAX_APART + 1;
  const ids = await store.severallyLinked(workspace, { relationId, side, limit });
  if (ids.length === limit) return undefined;
  for (let at = 0; at < ids.length; at += PORTION) {
    await rest();
    const some = ids.slice(at, at + PORTION);
    const links = await store.links(workspace, { relationId, side, ids: some }, rest);
    for (const id of some) found.set(id, links.get(id) ?? []);
  }
  return found;
}

/** Returns the places of those rows that fulfil the query. */
async function placesOf(
  { store, workspace, query, view, rest }: RollupSearch,
  ids: readonly string[],
): Promise<readonly RowCursor[]> {
  const { filter, sorts } = query;
  const found: RowCursor[] = [];
  for await (const nodes of nodePortions(store, workspace, ids)) {
    const own = nodes.filter((node) => isIn(query, node));
    for (const row of await view(own.map((node) => ({ node, cursor: { keys: [], id: "" } })))) {
      if (filter === undefined || matches(filter, row)) found.push(cursorOf(sorts, row));
      await rest();
    }
  }
  return found;
}

function isIn({ databaseId, inTrash }: RowQuery, node: FoundRow["node"]): boolean {
  return node.parentId === databaseId && node.kind === "page" &&
    (node.trashRoot !== null) === inTrash;
}

/**
 * Adds the nodes. Ends early, like the store, if their documents are long. Undefined if a row was
 * deleted meanwhile, because without it the page would look like the last one.
 */
async function withNodes(
  { store, workspace }: RollupSearch,
  rows: readonly ListedRow[],
): Promise<readonly FoundRow[] | undefined> {
  const nodes = await store.firstNodes(workspace, rows.map(({ cursor }) => cursor.id));
  const isFull = fitting(nodes, ({ doc }) => doc.length).length < nodes.length;
  if (!isFull && nodes.length < rows.length) return undefined;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return rows.flatMap(({ cursor }) => {
    const node = byId.get(cursor.id);
    return node === undefined ? [] : [{ cursor, node }];
  });
}
