/**
 * Writing the last numbers given to rows.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { DatabaseChange } from "../../content/schema/node.ts";
import { type Query, query } from "./query.ts";

type Count = Extract<DatabaseChange, { readonly op: "count" }>;

/** Prepares the statements that set a counter; false if it does not have the expected value. */
export function createCounterWriter(
  db: DatabaseSync,
): (workspace: string, change: Count) => boolean {
  const move = db.prepare(`
    INSERT INTO counters (workspace_id, database_id, last_number)
    SELECT ?1, ?2, ?4 WHERE ?3 = coalesce(
      (SELECT last_number FROM counters WHERE workspace_id = ?1 AND database_id = ?2), 0
    )
    ON CONFLICT DO UPDATE SET last_number = excluded.last_number
  `);
  const rows: Query<[number]> = query(
    db,
    `SELECT count(*) FROM nodes INDEXED BY rows_by_created_time
    WHERE workspace_id = ? AND parent_id = ? AND parent_kind = 'database' AND kind = 'page'`,
  );
  return (workspace, { databaseId, from, to }) => {
    const last = to === "rows" ? rows.get(workspace, databaseId)?.[0] ?? 0 : to;
    return Number(move.run(workspace, databaseId, from, last).changes) === 1;
  };
}
