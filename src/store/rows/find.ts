/**
 * Finding the rows of a database in the order of a query.
 *
 * @module
 */
import type { RowCursor, RowQuery } from "../../content/query/filter.ts";
import { compareRowCursors } from "../../content/query/order.ts";
import { mergeRanges } from "../../content/query/merge_ranges.ts";
import type { FoundRow } from "../port.ts";
import type { NodeView } from "../../content/schema/node.ts";
import type { Plan } from "../plan.ts";
import { nextPrefix, type RowSearch, type SortPrefix } from "./sort_prefix.ts";
import { planRows } from "./plan_rows.ts";

/** Finds the cursors of one page of rows. */
export function* findCursors(
  workspace: string,
  query: RowQuery,
  parts: Pick<RowSearch, "dialect" | "few" | "pace" | "budget">,
): Plan<readonly RowCursor[]> {
  const { databaseId, inTrash, sorts, limit } = query;
  const rowSet = { workspace, databaseId, inTrash };
  const compare = compareRowCursors(sorts);
  const search: RowSearch = {
    ...parts,
    rowSet,
    sorts,
    compare,
    limit,
    filtered: new Map(),
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

/** Pairs cursors with their rows. Rows that no longer exist are left out. */
export function withNodes(cursors: readonly RowCursor[], nodes: readonly NodeView[]): FoundRow[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return cursors.flatMap((cursor) => {
    const node = byId.get(cursor.id);
    return node === undefined ? [] : [{ node, cursor }];
  });
}
