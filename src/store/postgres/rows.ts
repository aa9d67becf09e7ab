/**
 * Rows of databases in the order of a query.
 *
 * @module
 */
import type { RowQuery } from "../../content/query/filter.ts";
import type { FoundRow, Pacing } from "../port.ts";
import { findPlaces, withNodes } from "../rows/find.ts";
import type { Connection } from "./connection.ts";
import { read, READS } from "./reader.ts";
import { POSTGRES } from "./rows/dialect.ts";
import { follow } from "./rows/follow.ts";
import { BY_INDEX } from "./rows/planning.ts";

/** Steps of the first walk: more than across no network, because each further walk is round trips. */
const FEW = 1_024;

export interface RowReaderOptions {
  /** Instead of `FEW`: the answers are the same. */
  readonly few?: number;
}

/** Reads queries of rows. */
export function createRowReader(
  { reading }: Connection,
  { few = FEW }: RowReaderOptions = {},
): (workspace: string, query: RowQuery, pacing?: Pacing) => Promise<FoundRow[]> {
  return (workspace, query, pacing) =>
    reading(async (session) => {
      // Not awaited: if it fails, so do the statements after it.
      void session.send(BY_INDEX, []);
      // Statements do not block this process, and each further one costs a round trip.
      const pace = { looks: Infinity, asked: 0, counted: Infinity };
      const parts = { dialect: POSTGRES, few, pace, work: pacing?.work };
      const places = await follow(session, findPlaces(workspace, query, parts), pacing);
      const nodes = READS.firstNodes(workspace, places.map(({ id }) => id));
      return withNodes(places, await read(session, nodes));
    });
}
