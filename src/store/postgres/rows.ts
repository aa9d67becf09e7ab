/**
 * Running row queries on PostgreSQL.
 *
 * @module
 */
import type { RowReader } from "../port.ts";
import { findCursors, listCursors, rowMethods, withNodes } from "../rows/find.ts";
import type { Connection } from "./connection.ts";
import { read, READS } from "./reader.ts";
import { POSTGRES } from "./rows/dialect.ts";
import { follow } from "./rows/follow.ts";
import { BY_INDEX } from "./rows/planning.ts";

/** Steps of the first scan: more than on SQLite, because each further scan costs round trips. */
const FEW = 1_024;

/** Milliseconds after which a query counts as long. */
const LONG = 100;

export interface RowReaderOptions {
  /** Replaces `FEW`; does not change the results. */
  readonly few?: number;
  /** Replaces `LONG`. */
  readonly long?: number;
}

/** Reads queries of rows. */
export function createRowReader(
  { reading }: Connection,
  { few = FEW, long = LONG }: RowReaderOptions = {},
): Pick<RowReader, "rows" | "listRows"> {
  return rowMethods(async (workspace, query, listing) => {
    const { pacing } = listing;
    let time = 0;
    const rows = await reading(async (session) => {
      const start = performance.now();
      // Not awaited: if it fails, so do the statements after it.
      void session.send(BY_INDEX, []);
      // Statements do not block this process, and each further one costs a round trip.
      const pace = { checks: Infinity, nextChecks: 0, counted: Infinity, countsApart: false };
      const parts = { dialect: POSTGRES, few, pace, budget: pacing?.budget };
      const cursors = await follow(session, findCursors(workspace, query, parts));
      const listed = listCursors(cursors, listing);
      const nodes = await read(session, READS.firstNodes(workspace, listed.unknown));
      time = performance.now() - start;
      return withNodes(listed, nodes);
    }, { workspace, userId: pacing?.userId });
    // Not before: while it waited for other long reads, which wait for connections, it would hold one.
    if (time > long) await pacing?.pause();
    return rows;
  });
}
