/**
 * The last numbers given to rows.
 *
 * @module
 */
import type { DatabaseChange } from "../../content/node.ts";
import { type Query, query, type Session, statement } from "./query.ts";

/** The last number given to a row of this database; 0 before the first. */
export async function readCounter(
  on: Session,
  workspace: string,
  databaseId: string,
): Promise<number> {
  return (await last.get(on, workspace, databaseId))?.[0] ?? 0;
}

const last: Query<[number]> = query(
  "SELECT last_number::float8 FROM counters WHERE workspace_id = $1 AND database_id = $2",
);

type Count = Extract<DatabaseChange, { readonly op: "count" }>;

/** Moves a counter; false where it does not stand where it should. */
export async function moveCounter(
  on: Session,
  workspace: string,
  { databaseId, from, to }: Count,
): Promise<boolean> {
  const [count = 0] = to === "rows" ? await rows.get(on, workspace, databaseId) ?? [] : [to];
  return await move(on, workspace, databaseId, from, count) === 1;
}

const rows: Query<[number]> = query(`
  SELECT count(*)::float8 FROM nodes
  WHERE workspace_id = $1 AND parent_id = $2 AND parent_kind = 'database' AND kind = 'page'
`);

// Asked twice: of what this statement sees, and of what another has changed while it waited.
const move = statement(`
  INSERT INTO counters AS c (workspace_id, database_id, last_number)
  SELECT $1, $2, $4 WHERE $3 = coalesce(
    (SELECT last_number FROM counters WHERE workspace_id = $1 AND database_id = $2), 0
  )
  ON CONFLICT (workspace_id, database_id) DO UPDATE
  SET last_number = excluded.last_number WHERE c.last_number = $3
`);
