/**
 * Rows of databases in the order of a query.
 *
 * @module
 */
import type { RowQuery } from "../../content/query/filter.ts";
import type { FoundRow } from "../port.ts";
import { findPlaces, withNodes } from "../rows/find.ts";
import type { Connection } from "./connection.ts";
import type { NodeReader } from "./nodes.ts";
import { SQLITE } from "./rows/dialect.ts";
import { createFollower } from "./rows/statements.ts";

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
  const follow = createFollower(db);
  return (workspace, query) =>
    reading(() => {
      const places = follow(findPlaces(workspace, query, { dialect: SQLITE, few }));
      return withNodes(places, nodes(workspace, places.map(({ id }) => id)));
    });
}
