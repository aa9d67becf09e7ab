/**
 * Deleting the indexes of deleted spaces.
 *
 * @module
 */
import { query, type Session, statement } from "../query.ts";
import { indexName } from "./extend.ts";

const forgotten = query<[number]>(`
  SELECT space FROM search_indexes
  WHERE workspace_id = $1 AND space < (SELECT min(number) FROM search_spaces WHERE workspace_id = $1)
  ORDER BY space LIMIT 1
`);
const remove = statement(`
  DELETE FROM search_near WHERE workspace_id = $1 AND (space, page_id, passage) IN (
    SELECT space, page_id, passage FROM search_near WHERE workspace_id = $1 AND space = $2 LIMIT $3
  )
`);
const finish = statement("DELETE FROM search_indexes WHERE workspace_id = $1 AND space = $2");

/** Deletes at most `limit` rows of one, the index first; answers how many rows, and 1 for the last of it. */
export async function deleteIndex(
  session: Session,
  workspace: string,
  limit: number,
): Promise<number> {
  const [space] = await forgotten.get(session, workspace) ?? [];
  if (space === undefined) return 0;
  await session.send(`DROP INDEX IF EXISTS ${indexName(workspace, space)}`, []);
  const count = await remove(session, workspace, space, limit);
  return count > 0 ? count : await finish(session, workspace, space);
}
