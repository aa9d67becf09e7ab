/**
 * Queries sorted by a rollup. Its value is the same for all rows that are related to the same row
 * alone, so it is computed once for each of these, and the rows are read group by group. The values
 * of rows that are related to several are computed one by one.
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

export interface RollupSearch extends GroupSearch {
  readonly store: RowReader & Pick<NodeReader, "nodes" | "firstNodes">;
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
/** Number of rows whose values are computed one by one at most, and at once. */
const MAX_APART = 5_000;
const PORTION = 50;

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
  const apartIds = await severallyLinked(search, field);
  if (apartIds === undefined) return undefined;
  const related = [null, ...keys];
  const values = await rollups.keysOf(sort, related);
  return values && {
    field,
    keys: Map.groupBy<SortKey, SortKey>(related, (_, index) => values[index] ?? null),
    firstKeys: async (ids) => {
      const links = await store.links(workspace, { ...field, ids });
      return new Map([...links].map(([id, [first = null]]) => [id, first]));
    },
    apart: await cursorsOf(search, apartIds),
    apartIds: new Set(apartIds),
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

/** Returns the IDs of all rows with several links; undefined if they are too many. */
async function severallyLinked(
  { store, workspace, rest }: RollupSearch,
  { relationId, side }: LinksField,
): Promise<readonly string[] | undefined> {
  const found: string[] = [];
  for (let after: string | undefined = ""; after !== undefined;) {
    const { ids, end } = await store.severallyLinked(workspace, { relationId, side, after });
    found.push(...ids);
    if (found.length > MAX_APART) return undefined;
    after = end;
    await rest();
  }
  return found;
}

/** Returns the places of those rows that fulfil the query. */
async function cursorsOf(
  search: RollupSearch,
  ids: readonly string[],
): Promise<readonly RowCursor[]> {
  const { store, workspace, query, rest } = search;
  const { filter, sorts } = query;
  const found: RowCursor[] = [];
  for (let at = 0; at < ids.length; at += PORTION) {
    const nodes = (await store.nodes(workspace, ids.slice(at, at + PORTION)))
      .filter((node) => isIn(query, node));
    const views = await search.view(nodes.map((node) => ({ node, cursor: { keys: [], id: "" } })));
    for (const view of views) {
      if (filter === undefined || matches(filter, view)) found.push(cursorOf(sorts, view));
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
