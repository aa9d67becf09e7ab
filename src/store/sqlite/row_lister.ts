/**
 * The rows of a database, batch by batch, for changes of all of them.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { type Query, query } from "./query.ts";

/** Rows in memory at once. */
const BATCH = 200;
/** Before all rows. */
const FIRST: RowRef = ["", Number.MIN_SAFE_INTEGER];

/** A place in the list of all rows. */
export type RowRef = readonly [id: string, createdTime: number];

/** Some rows, and the last of them. */
export interface RowBatch {
  readonly ids: readonly string[];
  /** Undefined for rows that have a cell. */
  readonly last: RowRef | undefined;
}

/** Lists rows of a database, oldest first: all, or those that have this cell. */
export type ListRows = (workspace: string, rows: ListedRows) => Iterable<RowBatch>;

export interface ListedRows {
  readonly databaseId: string;
  readonly having?: { readonly propertyId: string; readonly key: string } | undefined;
  /** If all rows are listed: begins behind this one. */
  readonly after?: RowRef | undefined;
}

/** Prepares the statements that list rows by batches. */
export function createRowLister(db: DatabaseSync): ListRows {
  const some: Query<RowRef> = query(
    db,
    `SELECT n.id, n.created_time FROM nodes n INDEXED BY rows_by_created_time
    WHERE n.workspace_id = ?1 AND n.parent_id = ?2 AND n.parent_kind = 'database'
      AND (n.created_time, n.id) > (?3, ?4) AND n.kind = 'page'
    ORDER BY n.created_time, n.id LIMIT ?5`,
  );
  const having: Query<[string]> = query(
    db,
    `SELECT DISTINCT c.node_id FROM cells c INDEXED BY cells_by_value
    CROSS JOIN nodes n ON n.workspace_id = c.workspace_id AND n.id = c.node_id
    WHERE c.workspace_id = ? AND c.database_id = ? AND c.property_id = ?
      AND c.number IS NULL AND c.key = ?
    ORDER BY n.created_time, n.id`,
  );
  return function* (workspace, { databaseId, having: cell, after = FIRST }) {
    if (cell !== undefined) {
      const ids = having.all(workspace, databaseId, cell.propertyId, cell.key).map(([id]) => id);
      for (let at = 0; at < ids.length; at += BATCH) {
        yield { ids: ids.slice(at, at + BATCH), last: undefined };
      }
      return;
    }
    let last: RowRef | undefined = after;
    while (last !== undefined) {
      const refs: RowRef[] = some.all(workspace, databaseId, last[1], last[0], BATCH);
      last = refs.at(-1);
      if (last !== undefined) yield { ids: refs.map(([id]) => id), last };
    }
  };
}
