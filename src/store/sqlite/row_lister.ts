/**
 * The rows of a database, batch by batch, for changes of all of them.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { batchesOf, type SizedNode } from "../batches.ts";
import { type Query, query } from "./query.ts";

/** Rows of a batch. */
const BATCH = 200;
/** Before all rows. */
export const FIRST: RowRef = ["", Number.MIN_SAFE_INTEGER];

/** A place in the list of all rows. */
export type RowRef = readonly [id: string, createdTime: number];

/** Some rows, and the last of them. */
export interface RowBatch {
  readonly rows: readonly SizedNode[];
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

interface ListedRow extends SizedNode {
  readonly ref: RowRef;
}

/** Prepares the statements that list rows by batches. */
export function createRowLister(db: DatabaseSync): ListRows {
  const some: Query<[...ref: RowRef, length: number]> = query(
    db,
    `SELECT n.id, n.created_time, octet_length(n.doc) FROM nodes n INDEXED BY rows_by_created_time
    WHERE n.workspace_id = ?1 AND n.parent_id = ?2 AND n.parent_kind = 'database'
      AND (n.created_time, n.id) > (?3, ?4) AND n.kind = 'page'
    ORDER BY n.created_time, n.id LIMIT ?5`,
  );
  const having: Query<[id: string, length: number]> = query(
    db,
    `SELECT DISTINCT c.node_id, octet_length(n.doc) FROM cells c INDEXED BY cells_by_value
    CROSS JOIN nodes n ON n.workspace_id = c.workspace_id AND n.id = c.node_id
    WHERE c.workspace_id = ? AND c.database_id = ? AND c.property_id = ?
      AND c.number IS NULL AND c.key = ?
    ORDER BY n.created_time, n.id`,
  );
  return function* (workspace, { databaseId, having: cell, after = FIRST }) {
    if (cell !== undefined) {
      const all = having.all(workspace, databaseId, cell.propertyId, cell.key)
        .map(([id, length]) => ({ id, length }));
      for (const rows of batchesOf(all, BATCH)) yield { rows, last: undefined };
      return;
    }
    let last: RowRef | undefined = after;
    while (last !== undefined) {
      const all: ListedRow[] = some.all(workspace, databaseId, last[1], last[0], BATCH)
        .map(([id, createdTime, length]) => ({ id, length, ref: [id, createdTime] }));
      last = all.at(-1)?.ref;
      for (const rows of batchesOf(all, BATCH)) yield { rows, last: rows.at(-1)?.ref };
    }
  };
}
