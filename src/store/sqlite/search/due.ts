/**
 * The queue of pages and databases whose vectors are due.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { DuePage, Lease } from "../../port.ts";
import type { Connection } from "../connection.ts";
import { type Query, query } from "../query.ts";

/** Prepares the statement that marks a page as due. */
export function createDueMarker(db: DatabaseSync): (workspace: string, pageId: string) => void {
  const mark = db.prepare(`
    INSERT INTO search_due (workspace_id, page_id, change, leased_until) VALUES (?, ?, 1, 0)
    ON CONFLICT DO UPDATE SET change = change + 1
  `);
  return (workspace, pageId) => void mark.run(workspace, pageId);
}

type Row = readonly [id: string, change: number];

export interface DueQueue {
  dueWorkspaces(): string[];
  takeDue(workspace: string, lease: Lease): DuePage[];
  finishDue(workspace: string, pages: readonly DuePage[]): void;
  countDue(workspace: string): number;
}

/** Prepares the statements on the queue. */
export function createDueQueue({ db, transaction }: Connection): DueQueue {
  const workspaces: Query<[string | null]> = query(
    db,
    `WITH RECURSIVE due (workspace_id) AS (
      SELECT min(workspace_id) FROM search_due
      UNION ALL
      SELECT (SELECT min(d.workspace_id) FROM search_due d WHERE d.workspace_id > due.workspace_id)
      FROM due WHERE due.workspace_id IS NOT NULL
    )
    SELECT workspace_id FROM due WHERE workspace_id IS NOT NULL`,
  );
  const take: Query<Row> = query(
    db,
    `UPDATE search_due SET leased_until = ?3 WHERE workspace_id = ?1 AND page_id IN (
      SELECT page_id FROM search_due WHERE workspace_id = ?1 AND leased_until <= ?2
      ORDER BY leased_until, page_id LIMIT ?4
    )
    RETURNING page_id, change`,
  );
  const finish = db.prepare(
    "DELETE FROM search_due WHERE workspace_id = ? AND page_id = ? AND change = ?",
  );
  const release = db.prepare(
    "UPDATE search_due SET leased_until = 0 WHERE workspace_id = ? AND page_id = ?",
  );
  const count: Query<[number]> = query(
    db,
    "SELECT count(*) FROM search_due INDEXED BY search_due_by_lease WHERE workspace_id = ?",
  );
  return {
    dueWorkspaces: () => workspaces.all().flatMap(([workspace]) => workspace ?? []),
    takeDue: (workspace, { now, until, limit }) =>
      transaction(() => take.all(workspace, now, until, limit))
        .map(([id, change]) => ({ id, change })),
    finishDue(workspace, pages) {
      transaction(() => {
        for (const { id, change } of pages) {
          finish.run(workspace, id, change);
          release.run(workspace, id);
        }
      });
    },
    countDue: (workspace) => count.get(workspace)?.[0] ?? 0,
  };
}
