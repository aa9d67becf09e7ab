/**
 * Running row queries on SQLite.
 *
 * @module
 */
import type { RowQuery } from "../../content/query/filter.ts";
import type { NodeView } from "../../content/schema/node.ts";
import type { RowListing, RowReader } from "../port.ts";
import { findCursors, listCursors, rowMethods, withNodes } from "../rows/find.ts";
import type { VersionedCursor } from "../rows/sort_prefix.ts";
import type { Connection } from "./connection.ts";
import { mapDatabaseErrors } from "./failures.ts";
import { SQLITE } from "./rows/dialect.ts";
import { createFollower, createPace } from "./rows/statements.ts";
import { inOneStep, startSteps, type Steps } from "./steps.ts";

/** Steps of the first scan: so few that a search for a better plan would not pay before it. */
const FEW = 256;
/** Milliseconds of a slice, after which other requests are served. */
const SLICE = 5;

/** How often rows are found whose nodes change while they are read; then these are read at once. */
const ATTEMPTS = 3;

export interface RowReaderParts {
  readonly firstNodes: (workspace: string, ids: readonly string[]) => Steps<NodeView[]>;
  /** Replaces `FEW`; does not change the results. */
  readonly few?: number;
  /** Replace `SLICE` and the checks of a statement; do not change the results. */
  readonly slice?: number;
  readonly checks?: number;
  /** Replaces how nodes are read in steps; does not change the results. */
  readonly run?: typeof startSteps;
}

/**
 * Prepares row queries. A long query runs in slices, each of which sees one state of the database. One
 * transaction for all slices would keep the log from shrinking, and would need its own connection.
 */
export function createRowReader(
  connection: Connection,
  { firstNodes, few = FEW, slice = SLICE, checks, run = startSteps }: RowReaderParts,
): Pick<RowReader, "rows" | "listRows"> {
  const { reading } = connection;
  const follow = createFollower(connection);

  /** Finds rows and, in the transaction of the last slice, begins to read their nodes. */
  async function find(
    workspace: string,
    query: RowQuery,
    listing: RowListing,
    isLast: boolean,
  ) {
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
          const steps = firstNodes(workspace, listed.unknown);
          const nodes = run(connection, isLast ? inOneStep(steps) : steps);
          nodes.catch(() => {}); // looked at below, unless the transaction fails as well
          return { rows: value, listed, nodes };
        })
      );
      if (found !== undefined) return { ...found, nodes: await found.nodes };
    }
  }

  return rowMethods(async (workspace, query, listing) => {
    for (let attempt = 1;; attempt++) {
      const isLast = attempt === ATTEMPTS;
      const { rows, listed, nodes } = await find(workspace, query, listing, isLast);
      if (isLast || areAsFound(nodes, rows)) return withNodes(listed, nodes);
    }
  });
}

/** Returns whether the nodes are those of the moment in which the rows were found. */
function areAsFound(nodes: readonly NodeView[], rows: readonly VersionedCursor[]): boolean {
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  return nodes.every(({ id, version }) => versions.get(id) === version);
}
