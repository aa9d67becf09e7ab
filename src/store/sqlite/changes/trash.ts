/**
 * Moving nodes to the trash and restoring them.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { SearchIndexer } from "../search/indexer.ts";
import type { Applier } from "./appliers.ts";
import { type Query, query } from "../query.ts";
import { runToEnd, SLICE } from "../slices.ts";
import { expectOne } from "./expectation.ts";

/** Prepares the statements that move nodes to the trash. */
export function createTrash(db: DatabaseSync, search: SearchIndexer): Applier<"trash"> {
  const root = db.prepare(`
    UPDATE nodes SET
      trash_root = id, version = version + 1, edited_time = ?4, edited_by = ?5
    WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND trash_root IS NULL
  `);
  const children: Query<[string]> = query(
    db,
    `UPDATE nodes SET trash_root = ?2, version = version + 1
    WHERE workspace_id = ?1 AND id IN (
      SELECT n.id FROM json_each(?3) wanted
      CROSS JOIN nodes n
        ON n.workspace_id = ?1 AND n.parent_id = wanted.value AND n.trash_root IS NULL
      LIMIT ${SLICE}
    ) RETURNING id`,
  );
  const trashBelow = (workspace: string, root: string): void => {
    // The slices from the root down to the one whose children go next.
    const path = [[root]];
    for (let parents = path.at(-1); parents !== undefined; parents = path.at(-1)) {
      const slice = children.all(workspace, root, JSON.stringify(parents)).map(([id]) => id);
      if (slice.length > 0) path.push(slice);
      else path.pop();
    }
  };
  return (workspace, { id, version, edit }) => {
    expectOne(root.run(workspace, id, version, edit.time, edit.by));
    trashBelow(workspace, id);
    search.trashed(workspace, id);
  };
}

/** Prepares the statements that restore nodes. */
export function createRestore(db: DatabaseSync, search: SearchIndexer): Applier<"restore"> {
  const root = db.prepare(`
    UPDATE nodes SET
      trash_root = NULL, version = version + 1, edited_time = ?4, edited_by = ?5
    WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND trash_root = id AND NOT EXISTS (
      SELECT 1 FROM purges u WHERE u.workspace_id = ?1 AND u.node_id = ?2
    ) AND (
      parent_id = '' OR EXISTS (
        SELECT 1 FROM nodes p
        WHERE p.workspace_id = ?1 AND p.id = nodes.parent_id AND p.trash_root IS NULL
      )
    )
  `);
  const below = db.prepare(`
    UPDATE nodes SET trash_root = NULL, version = version + 1
    WHERE workspace_id = ?1 AND id IN (
      SELECT id FROM nodes WHERE workspace_id = ?1 AND trash_root = ?2 LIMIT ${SLICE}
    )
  `);
  return (workspace, { id, version, edit }) => {
    search.restoring(workspace, id);
    expectOne(root.run(workspace, id, version, edit.time, edit.by));
    runToEnd(below, workspace, id);
  };
}
