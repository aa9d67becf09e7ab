/**
 * Running row queries on SQLite.
 *
 * @module
 */
import type { RowReader } from "../port.ts";
import { findCursors, listCursors, rowMethods, withNodes } from "../rows/find.ts";
import type { Connection } from "./connection.ts";
import { mapDatabaseErrors } from "./failures.ts";
import type { ReadNodes } from "./reader.ts";
import { SQLITE } from "./rows/dialect.ts";
import { createFollower, createPace } from "./rows/statements.ts";

/** Steps of the first scan: so few that a search for a better plan would not pay before it. */
const FEW = 256;
/** Milliseconds of a slice, after which other requests are served. */
const SLICE = 5;

export interface RowReaderParts {
  readonly firstNodes: ReadNodes;
  /** Replaces `FEW`; does not change the results. */
  readonly few?: number;
  /** Replace `SLICE` and the checks of a statement; do not change the results. */
  readonly slice?: number;
  readonly checks?: number;
}

/**
 * Prepares row queries. A long query runs in slices, each of which sees one state of the database. One
 * transaction for all slices would keep the log from shrinking, and would need its own connection.
 */
export function createRowReader(
  connection: Connection,
  { firstNodes, few = FEW, slice = SLICE, checks }: RowReaderParts,
): Pick<RowReader, "rows" | "listRows"> {
  const { reading } = connection;
  const follow = createFollower(connection);
  return rowMethods(async (workspace, query, listing) => {
    const { pacing } = listing;
    const pace = createPace(checks);
    const parts = { dialect: SQLITE, few, pace, budget: pacing?.budget };
    const search = follow(findCursors(workspace, query, parts), pace);
    const longest = pacing === undefined ? Infinity : slice;
    for (let hasFound = false;; await pacing?.pause()) {
      const found = mapDatabaseErrors(() =>
        reading(() => {
          const start = performance.now();
          const { done, value } = search(longest);
          // If the last cursors used up this slice, the nodes are read in the next one.
          const isLate = !hasFound && performance.now() - start > longest;
          hasFound = done === true;
          if (!done || isLate) return undefined;
          const listed = listCursors(value, listing);
          return withNodes(listed, firstNodes(workspace, listed.unknown));
        })
      );
      if (found !== undefined) return found;
    }
  });
}
