/**
 * Writing the last numbers given to rows.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Appliers } from "./changes/appliers.ts";
import { expect, expectOne } from "./changes/expectation.ts";
import { type Query, query } from "./query.ts";
import { FIRST, type RowRef } from "./row_lister.ts";

/** Rows that are counted in one step. */
const STEP = 1_000;

/** Prepares the statements that set counters, which must have the value that the change expects. */
export function createCounterWriter(
  db: DatabaseSync,
): Pick<Appliers, "count" | "countAllRows"> {
  const get: Query<[number]> = query(
    db,
    "SELECT last_number FROM counters WHERE workspace_id = ? AND database_id = ?",
  );
  const move = db.prepare(`
    INSERT INTO counters (workspace_id, database_id, last_number)
    SELECT ?1, ?2, ?4 WHERE ?3 = coalesce(
      (SELECT last_number FROM counters WHERE workspace_id = ?1 AND database_id = ?2), 0
    )
    ON CONFLICT DO UPDATE SET last_number = excluded.last_number
  `);
  const rowsBehind = `FROM nodes INDEXED BY rows_by_created_time
    WHERE workspace_id = ?1 AND parent_id = ?2 AND parent_kind = 'database' AND kind = 'page'
      AND (created_time, id) > (?3, ?4)`;
  const stepEnd: Query<[id: string, createdTime: number]> = query(
    db,
    `SELECT id, created_time ${rowsBehind} ORDER BY created_time, id LIMIT 1 OFFSET ${STEP - 1}`,
  );
  const rest: Query<[number]> = query(db, `SELECT count(*) ${rowsBehind}`);
  return {
    count(workspace, { databaseId, from, to }) {
      expectOne(move.run(workspace, databaseId, from, to));
    },
    *countAllRows(workspace, { databaseId, from: expected }, from) {
      if (from === undefined) {
        expect((get.get(workspace, databaseId)?.[0] ?? 0) === expected);
        yield {};
      }
      let rows = from?.rows ?? 0;
      let last: RowRef = from?.after ?? FIRST;
      for (;;) {
        const end = stepEnd.get(workspace, databaseId, last[1], last[0]);
        if (end === undefined) break;
        rows += STEP;
        last = end;
        yield { after: last, rows };
      }
      const [others = 0] = rest.get(workspace, databaseId, last[1], last[0]) ?? [];
      expectOne(move.run(workspace, databaseId, expected, rows + others));
    },
  };
}
