/**
 * The queue of pages and databases whose vectors are due.
 *
 * @module
 */
import type { DuePage, Lease } from "../../port.ts";
import { ASKED_FOR, WRITTEN } from "../../search_due.ts";
import type { Connection } from "../connection.ts";
import { query, type Session, statement } from "../query.ts";
import { lockWorkspace } from "../workspace_lock.ts";

const mark = statement(`
  INSERT INTO search_due (workspace_id, page_id, change, leased_until)
  SELECT $1, id, 1, ${WRITTEN} FROM unnest($2::text[]) wanted (id)
  ON CONFLICT (workspace_id, page_id) DO UPDATE SET change = search_due.change + 1,
    leased_until = CASE search_due.leased_until
      WHEN ${ASKED_FOR} THEN ${WRITTEN} ELSE search_due.leased_until
    END
`);
// Workers that lease pages at the same time skip these rows and get the next ones. Materialized,
// because a plan that runs the selection for each row would lease more of them.
const take = query<[id: string, change: number]>(`
  WITH next AS MATERIALIZED (
    SELECT page_id FROM search_due WHERE workspace_id = $1 AND leased_until <= $2
    ORDER BY leased_until, page_id LIMIT $4 FOR UPDATE SKIP LOCKED
  )
  UPDATE search_due s SET leased_until = $3 FROM next
  WHERE s.workspace_id = $1 AND s.page_id = next.page_id
  RETURNING s.page_id, s.change
`);
const finish = query<[string]>(`
  DELETE FROM search_due d
  USING json_to_recordset($2::json) AS done (id text, change bigint)
  WHERE d.workspace_id = $1 AND d.page_id = done.id AND d.change = done.change
  RETURNING d.page_id
`);
const release = statement(
  `UPDATE search_due SET leased_until = ${WRITTEN}
  WHERE workspace_id = $1 AND page_id = ANY ($2::text[])`,
);

/** Adds pages to the queue. */
export async function markDue(
  session: Session,
  workspace: string,
  ids: readonly string[],
): Promise<void> {
  await mark(session, workspace, ids);
}

/**
 * Removes pages from the queue and returns the IDs of those removed. A page that has changed since
 * it was leased stays in the queue, available at once. The caller holds the workspace lock.
 */
export async function finishDue(
  session: Session,
  workspace: string,
  pages: readonly DuePage[],
): Promise<ReadonlySet<string>> {
  const done = pages.map(({ id, change }) => ({ id, change }));
  const [finished] = await Promise.all([
    finish.all(session, workspace, done),
    release(session, workspace, pages.map(({ id }) => id)),
  ]);
  return new Set(finished.map(([id]) => id));
}

export interface QueueWriter {
  takeDue(workspace: string, lease: Lease): Promise<DuePage[]>;
  releaseDue(workspace: string, pages: readonly DuePage[]): Promise<void>;
  finishDue(workspace: string, pages: readonly DuePage[]): Promise<void>;
}

/** Creates the queue's operations, each in a transaction of its own. */
export function createQueueWriter({ transaction }: Connection): QueueWriter {
  return {
    takeDue: (workspace, { now, until, limit }) =>
      transaction(async (session) => {
        const taken = await take.all(session, workspace, now, until, limit);
        return taken.map(([id, change]) => ({ id, change }));
      }),
    releaseDue: (workspace, pages) =>
      transaction(
        async (session) => {
          await Promise.all([
            lockWorkspace(session, workspace),
            release(session, workspace, pages.map(({ id }) => id)),
          ]);
        },
        undefined,
        workspace,
      ),
    finishDue: (workspace, pages) =>
      transaction(
        async (session) => {
          await Promise.all([
            lockWorkspace(session, workspace),
            finishDue(session, workspace, pages),
          ]);
        },
        undefined,
        workspace,
      ),
  };
}
