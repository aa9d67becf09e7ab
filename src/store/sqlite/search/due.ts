/**
 * The queue of pages and databases whose vectors are due.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { DuePage, Lease } from "../../port.ts";
import { ASKED_FOR, WRITTEN } from "../../search_due.ts";
import type { Connection } from "../connection.ts";
import { type Query, query } from "../query.ts";

const RELEASE =
  `UPDATE search_due SET leased_until = ${WRITTEN} WHERE workspace_id = ? AND page_id = ?`;

/** Prepares the statement that marks a page as due. */
export function createDueMarker(db: DatabaseSync): (workspace: string, pageId: string) => void {
  const mark = db.prepare(`
    INSERT INTO search_due (workspace_id, page_id, change, leased_until)
    VALUES (?, ?, 1, ${WRITTEN})
    ON CONFLICT DO UPDATE SET change = change + 1,
      leased_until = iif(leased_until = ${ASKED_FOR}, ${WRITTEN}, leased_until)
  `);
  return (workspace, pageId) => void mark.run(workspace, pageId);
}

type Row = readonly [id: string, change: number];

export interface QueueWriter {
  takeDue(workspace: string, lease: Lease): DuePage[];
  releaseDue(workspace: string, pages: readonly DuePage[]): void;
  finishDue(workspace: string, pages: readonly DuePage[]): void;
}

/** Prepares the statements that lease pages from the queue and release or remove them. */
export function createQueueWriter({ db, transaction }: Connection): QueueWriter {
  const take: Query<Row> = query(
    db,
    `UPDATE search_due SET leased_until = ?3 WHERE workspace_id = ?1 AND page_id IN (
      SELECT page_id FROM search_due WHERE workspace_id = ?1 AND leased_until <= ?2
      ORDER BY leased_until, page_id LIMIT ?4
    )
    RETURNING page_id, change`,
  );
  const finish = createDueFinisher(db);
  const release = db.prepare(RELEASE);
  return {
    takeDue: (workspace, { now, until, limit }) =>
      transaction(() => take.all(workspace, now, until, limit))
        .map(([id, change]) => ({ id, change })),
    releaseDue(workspace, pages) {
      transaction(() => {
        for (const { id } of pages) release.run(workspace, id);
      });
    },
    finishDue(workspace, pages) {
      transaction(() => {
        for (const page of pages) finish(workspace, page);
      });
    },
  };
}

/**
 * Prepares the function that removes a page from the queue. A page that has changed since it was
 * leased stays in the queue, available at once; the function returns false.
 */
export function createDueFinisher(
  db: DatabaseSync,
): (workspace: string, page: DuePage) => boolean {
  const finish = db.prepare(
    "DELETE FROM search_due WHERE workspace_id = ? AND page_id = ? AND change = ?",
  );
  const release = db.prepare(RELEASE);
  return (workspace, { id, change }) => {
    if (Number(finish.run(workspace, id, change).changes) === 1) return true;
    release.run(workspace, id);
    return false;
  };
}
