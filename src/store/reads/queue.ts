/**
 * Reading the queue of pages and databases whose vectors are due.
 *
 * @module
 */
import { WRITTEN } from "../search_due.ts";
import type { ReadPlan, Source } from "./query.ts";

export interface QueueReads {
  dueWorkspaces(): ReadPlan<string[]>;
  writtenWorkspaces(): ReadPlan<string[]>;
  countDue(workspace: string): ReadPlan<number>;
}

/** Declares the statements that read the queue. */
export function createQueueReads({ dialect, query }: Source): QueueReads {
  // Skips from one workspace to the next by index, because each may have many pages.
  const due = `
    WITH RECURSIVE due (workspace_id) AS (
      SELECT min(workspace_id) FROM search_due
      UNION ALL
      SELECT (SELECT min(d.workspace_id) FROM search_due d WHERE d.workspace_id > due.workspace_id)
      FROM due WHERE due.workspace_id IS NOT NULL
    )
    SELECT workspace_id FROM due WHERE workspace_id IS NOT NULL
  `;
  const workspaces = query<[string]>(due);
  const written = query<[string]>(
    `${due} AND EXISTS (
      SELECT 1 FROM search_due d
      WHERE d.workspace_id = due.workspace_id AND d.leased_until = ${WRITTEN}
    )`,
  );
  const count = query<[number]>(
    `SELECT count(*) FROM ${dialect.indexed("search_due", "search_due_by_lease")}
    WHERE workspace_id = $1`,
  );
  return {
    dueWorkspaces: () => workspaces.all([], ([workspace]) => workspace),
    writtenWorkspaces: () => written.all([], ([workspace]) => workspace),
    *countDue(workspace) {
      return (yield* count.first([workspace], ([pages]) => pages)) ?? 0;
    },
  };
}
