/**
 * Rows of databases in the order of a query.
 *
 * @module
 */
import type { Place, RowQuery } from "../../content/query/filter.ts";
import { comparePlaces } from "../../content/query/order.ts";
import { tighten } from "../../content/query/tighten.ts";
import type { FoundRow } from "../port.ts";
import type { Connection } from "./connection.ts";
import type { NodeReader } from "./nodes.ts";
import { createStatements } from "./rows/statements.ts";
import type { Search } from "./rows/stage.ts";
import { visit } from "./rows/visit.ts";

/** Steps of the first walk: few enough not to ask before whether there is a better way. */
const FEW = 256;

export interface RowReaderParts {
  readonly nodes: NodeReader["nodes"];
  /** Instead of `FEW`: the answers are the same. */
  readonly few?: number;
}

/** Prepares queries of rows. */
export function createRowReader(
  { db, reading }: Connection,
  { nodes, few = FEW }: RowReaderParts,
): (workspace: string, query: RowQuery) => FoundRow[] {
  const read = createStatements(db);
  return (workspace, query) =>
    reading(() => {
      const { databaseId, inTrash, sorts, limit, after } = query;
      const filter = query.filter && tighten(query.filter);
      const realm = { workspace, databaseId, inTrash };
      const places: Place[] = [];
      const compare = comparePlaces(sorts);
      const search: Search = { read, realm, sorts, compare, limit, few, places };
      visit(search, { fixed: [], filter, after, width: 1 });
      return withNodes(places, nodes(workspace, places.map(({ id }) => id)));
    });
}

function withNodes(places: readonly Place[], nodes: ReturnType<NodeReader["nodes"]>): FoundRow[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return places.flatMap((place) => {
    const node = byId.get(place.id);
    return node === undefined ? [] : [{ node, place }];
  });
}
