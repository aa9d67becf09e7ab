/**
 * Finding the rows of a database in the order of a query.
 *
 * @module
 */
import type { RowCursor, RowQuery } from "../../content/query/filter.ts";
import { fitting } from "../../content/values/page_end.ts";
import { compareRowCursors } from "../../content/query/order.ts";
import { mergeRanges } from "../../content/query/merge_ranges.ts";
import type { FoundRow, ListedRow, RowListing, RowReader } from "../port.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { mostRows } from "./long_texts.ts";
import type { Plan } from "../plan.ts";
import {
  nextPrefix,
  type RowSearch,
  type SortPrefix,
  type VersionedCursor,
} from "./sort_prefix.ts";
import { planRows } from "./plan_rows.ts";

/** Finds the cursors of one page of rows. */
export function* findCursors(
  workspace: string,
  query: RowQuery,
  parts: Pick<RowSearch, "dialect" | "few" | "pace" | "budget">,
): Plan<readonly VersionedCursor[]> {
  const { databaseId, inTrash, sorts, limit } = query;
  const rowSet = { workspace, databaseId, inTrash };
  const compare = compareRowCursors(sorts);
  const isPaced = parts.pace.checks !== Infinity;
  const search: RowSearch = {
    ...parts,
    rowSet,
    mostRows: isPaced ? yield* mostRows({ ...parts, rowSet }, query.filter) : Infinity,
    sorts,
    compare,
    limit,
    filtered: new Map(),
    texts: new Map(),
    checked: 0,
    cursors: [],
  };
  const prefix = prefixOf(query);
  if (prefix !== undefined) yield* planRows(search, prefix);
  return search.cursors;
}

/** The sort prefix with the fixed keys; undefined if the filter excludes all of its rows. */
function prefixOf({ filter, sorts, fixed = [], after }: RowQuery): SortPrefix | undefined {
  const start: SortPrefix = {
    fixed: [],
    filter: filter && mergeRanges(filter),
    after,
    width: 1,
  };
  return fixed.reduce<SortPrefix | undefined>((prefix, key, index) => {
    const sort = sorts[index];
    return prefix && sort && nextPrefix(prefix, sort, key);
  }, start);
}

/** Cursors, and the IDs of those rows whose nodes the caller needs, in the same order. */
export interface ListedCursors {
  readonly cursors: readonly RowCursor[];
  readonly unknown: readonly string[];
}

export function listCursors(
  found: readonly VersionedCursor[],
  { isKnown, shown }: RowListing,
): ListedCursors {
  return {
    cursors: found.map(({ keys, id }) => ({ keys, id })),
    unknown: found.slice(0, shown).flatMap(({ id, version }) => isKnown(id, version) ? [] : [id]),
  };
}

/** Pairs cursors with their nodes. Rows that no longer exist are left out. */
export function withNodes(
  { cursors, unknown }: ListedCursors,
  nodes: readonly NodeView[],
): ListedRow[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const missing = new Set(unknown.filter((id) => !byId.has(id)));
  // Behind a full page, nodes were not read.
  const isFull = fitting(nodes, ({ doc }) => doc.length).length < nodes.length;
  const unread = isFull ? unknown[unknown.findLastIndex((id) => byId.has(id)) + 1] : undefined;
  const end = cursors.findIndex(({ id }) => id === unread);
  return (end < 0 ? cursors : cursors.slice(0, end))
    .filter(({ id }) => !missing.has(id))
    .map((cursor) => {
      const node = byId.get(cursor.id);
      return node === undefined ? { cursor } : { cursor, node };
    });
}

/** The methods of the port that find rows. */
export function rowMethods(
  listRows: RowReader["listRows"],
): Pick<RowReader, "rows" | "listRows"> {
  return {
    listRows,
    async rows(workspace, query, pacing) {
      const listed = await listRows(workspace, query, { isKnown: () => false, pacing });
      return listed.filter(hasNode);
    },
  };
}

function hasNode(row: ListedRow): row is FoundRow {
  return row.node !== undefined;
}
