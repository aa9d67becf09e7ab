/**
 * Running row queries on SQLite.
 *
 * @module
 */
import type { RowQuery } from "../../content/query/filter.ts";
import type { FoundRow, Pacing } from "../port.ts";
import { findCursors, withNodes } from "../rows/find.ts";
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
  { db, reading }: Connection,
  { firstNodes, few = FEW, slice = SLICE, checks }: RowReaderParts,
): (workspace: string, query: RowQuery, pacing?: Pacing) => Promise<FoundRow[]> {
  const follow = createFollower(db);
  return async (workspace, query, pacing) => {
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
          return done && !isLate
            ? withNodes(value, firstNodes(workspace, value.map(({ id }) => id)))
            : undefined;
        })
      );
      if (found !== undefined) return found;
    }
  };
}
