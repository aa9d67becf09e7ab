/**
 * Checks of what a decision was based on, which change nothing.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { type Query, query } from "../query.ts";
import type { Appliers } from "./appliers.ts";
import { expect } from "./expectation.ts";

/** Prepares the statements that check nodes. */
export function createChecks(
  db: DatabaseSync,
): Pick<Appliers, "expect" | "expectRows" | "expectChildless"> {
  const findVersion: Query<[number]> = query(
    db,
    `SELECT 1 FROM nodes
    WHERE workspace_id = ? AND id = ? AND version = ? AND (trash_root IS NULL OR ?)`,
  );
  const countRows: Query<[number]> = query(
    db,
    `SELECT count(*) FROM json_each(?3) wanted CROSS JOIN nodes n
    WHERE n.workspace_id = ?1 AND n.id = wanted.value
      AND n.parent_id = ?2 AND n.kind = 'page' AND n.trash_root IS NULL`,
  );
  const findChild: Query<[number]> = query(
    db,
    `SELECT 1 FROM nodes WHERE workspace_id = ? AND parent_id = ? AND trash_root IS NULL
    ORDER BY position LIMIT 1`,
  );
  return {
    expect(workspace, { id, version, mayBeTrashed = false }) {
      expect(findVersion.get(workspace, id, version, Number(mayBeTrashed)) !== undefined);
    },
    expectRows(workspace, { databaseId, ids }) {
      const [rows] = countRows.get(workspace, databaseId, JSON.stringify(ids)) ?? [];
      expect(rows === ids.length);
    },
    expectChildless(workspace, { id }) {
      expect(findChild.get(workspace, id) === undefined);
    },
  };
}
