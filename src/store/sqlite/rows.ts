/**
 * Rows of databases in the order of a query.
 *
 * @module
 */
import type { RowQuery } from "../../content/query/filter.ts";
import type { FoundRow, Pacing } from "../port.ts";
import { findPlaces, withNodes } from "../rows/find.ts";
import type { Connection } from "./connection.ts";
import { mapDatabaseErrors } from "./failures.ts";
import type { ReadNodes } from "./reader.ts";
import { SQLITE } from "./rows/dialect.ts";
import { createFollower, createPace } from "./rows/statements.ts";

/** Steps of the first walk: few enough not to ask before whether there is a better way. */
const FEW = 256;
/** Milliseconds of a slice, after which others are served. */
const SLICE = 5;

export interface RowReaderParts {
  readonly firstNodes: ReadNodes;
  /** Instead of `FEW`: the answers are the same. */
  readonly few?: number;
  /** Instead of `SLICE`, and of a statement's looks: the answers are the same. */
  readonly slice?: number;
  readonly looks?: number;
}

/**
 * Prepares queries of rows. A long one is read in slices, each of which sees one state of the
 * database: to keep one for all of them would keep the log from shrinking, and a connection to itself.
 */
export function createRowReader(
  { db, reading }: Connection,
  { firstNodes, few = FEW, slice = SLICE, looks }: RowReaderParts,
): (workspace: string, query: RowQuery, pacing?: Pacing) => Promise<FoundRow[]> {
  const follow = createFollower(db);
  return async (workspace, query, pacing) => {
    const pace = createPace(looks);
    const parts = { dialect: SQLITE, few, pace, work: pacing?.work };
    const places = follow(findPlaces(workspace, query, parts), pace);
    const longest = pacing === undefined ? Infinity : slice;
    for (let isKnown = false;; await pacing?.pause()) {
      const found = mapDatabaseErrors(() =>
        reading(() => {
          const start = performance.now();
          const { done, value } = places(longest);
          // Cursors found earlier cost nothing: nodes get a slice of their own if the cursors used one.
          const isLate = !isKnown && performance.now() - start > longest;
          isKnown = done === true;
          return done && !isLate
            ? withNodes(value, firstNodes(workspace, value.map(({ id }) => id)))
            : undefined;
        })
      );
      if (found !== undefined) return found;
    }
  };
}
