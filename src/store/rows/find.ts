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
import type { RowSearch } from "./sort_prefix.ts";
import { planRows } from "./plan_rows.ts";

/** Finds the cursors of one page of rows. */
export function* findCursors(
  workspace: string,
  { databaseId, inTrash, sorts, limit, after, ...query }: RowQuery,
  parts: Pick<RowSearch, "dialect" | "few" | "pace" | "budget">,
): Plan<readonly RowCursor[]> {
  const filter = query.filter && mergeRanges(query.filter);
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
  yield* planRows(search, { fixed: [], filter, after, width: 1 });
  return search.cursors;
}

/** Pairs cursors with their rows. Rows that no longer exist are left out. */
export function withNodes(cursors: readonly RowCursor[], nodes: readonly NodeView[]): FoundRow[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return cursors.flatMap((cursor) => {
    const node = byId.get(cursor.id);
    return node === undefined ? [] : [{ node, cursor }];
  });
}
