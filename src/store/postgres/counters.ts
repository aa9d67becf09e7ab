/**
 * Writing the last numbers given to rows.
 *
 * @module
 */
import type { Applier } from "./changes/appliers.ts";
import { expectOne } from "./changes/expectation.ts";
import { type Statement, statement } from "./query.ts";

const moveTo = moveCounter("$4::bigint");
const moveToRows = moveCounter(`
  SELECT count(*) FROM nodes
  WHERE workspace_id = $1 AND parent_id = $2 AND parent_kind = 'database' AND kind = 'page'
`);

function moveCounter(to: string): Statement {
  return statement(`
    INSERT INTO counters (workspace_id, database_id, last_number)
    SELECT $1, $2, (${to}) WHERE $3::bigint = coalesce(
      (SELECT last_number FROM counters WHERE workspace_id = $1 AND database_id = $2), 0
    )
    ON CONFLICT (workspace_id, database_id) DO UPDATE SET last_number = excluded.last_number
  `);
}

/** Sets a counter, which must have the value that the change expects. */
export const count: Applier<"count"> = async (session, workspace, { databaseId, from, to }) => {
  expectOne(await moveTo(session, workspace, databaseId, from, to));
};

/** Like {@linkcode count}, to the number of rows. */
export const countAllRows: Applier<"countAllRows"> = async (
  session,
  workspace,
  { databaseId, from },
) => {
  expectOne(await moveToRows(session, workspace, databaseId, from));
};
