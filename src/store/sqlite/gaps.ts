/**
 * Reading the order of siblings.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Gap } from "../../content/values/position.ts";
import type { SiblingPosition } from "../port.ts";
import { type Query, query } from "./query.ts";

/** Prepares the statements that find the gap for new children. */
export function createGapReader(
  db: DatabaseSync,
): (workspace: string, parentId: string, place: SiblingPosition) => Gap | undefined {
  const siblings = "SELECT position FROM nodes WHERE workspace_id = ? AND parent_id = ?";
  const first: Query<[string]> = query(db, `${siblings} ORDER BY position LIMIT 1`);
  const last: Query<[string]> = query(db, `${siblings} ORDER BY position DESC LIMIT 1`);
  const behind: Query<[after: string, before: string | null]> = query(
    db,
    `SELECT n.position, (
      SELECT s.position FROM nodes s
      WHERE s.workspace_id = n.workspace_id AND s.parent_id = n.parent_id AND s.position > n.position
      ORDER BY s.position LIMIT 1
    )
    FROM nodes n
    WHERE n.workspace_id = ? AND n.parent_id = ? AND n.id = ? AND n.trash_root IS NULL`,
  );
  return (workspace, parentId, place) => {
    if (place === "start") {
      return { after: null, before: first.get(workspace, parentId)?.[0] ?? null };
    }
    if (place === "end") {
      return { after: last.get(workspace, parentId)?.[0] ?? null, before: null };
    }
    const row = behind.get(workspace, parentId, place.after);
    return row && { after: row[0], before: row[1] };
  };
}
