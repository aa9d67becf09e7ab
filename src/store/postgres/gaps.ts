/**
 * Reading the order of siblings.
 *
 * @module
 */
import type { Gap } from "../../content/values/position.ts";
import type { SiblingPosition } from "../port.ts";
import { query, type Session } from "./query.ts";

const SIBLINGS = "SELECT position FROM nodes WHERE workspace_id = $1 AND parent_id = $2";

const first = query<[string]>(`${SIBLINGS} ORDER BY position LIMIT 1`);
const last = query<[string]>(`${SIBLINGS} ORDER BY position DESC LIMIT 1`);
const behind = query<[after: string, before: string | null]>(
  `SELECT n.position, (
    SELECT s.position FROM nodes s
    WHERE s.workspace_id = n.workspace_id AND s.parent_id = n.parent_id AND s.position > n.position
    ORDER BY s.position LIMIT 1
  )
  FROM nodes n
  WHERE n.workspace_id = $1 AND n.parent_id = $2 AND n.id = $3 AND n.trash_root = ''`,
);

/** The gap for new children; undefined where they are to follow a node that is no living child. */
export async function readGap(
  session: Session,
  workspace: string,
  ...[parentId, place]: [parentId: string, place: SiblingPosition]
): Promise<Gap | undefined> {
  if (place === "start") {
    return { after: null, before: (await first.get(session, workspace, parentId))?.[0] ?? null };
  }
  if (place === "end") {
    return { after: (await last.get(session, workspace, parentId))?.[0] ?? null, before: null };
  }
  const row = await behind.get(session, workspace, parentId, place.after);
  return row && { after: row[0], before: row[1] };
}
