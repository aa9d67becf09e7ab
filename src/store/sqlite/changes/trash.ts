/**
 * Moving nodes to the trash and restoring them.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Node } from "../../../content/schema/node.ts";
import type { SearchIndexer } from "../search/indexer.ts";
import type { ChangeSteps, StepApplier } from "./appliers.ts";
import { type Query, query } from "../query.ts";
import { SLICE } from "../slices.ts";
import { expectOne } from "./expectation.ts";

/** A node whose state changed. */
type Changed = readonly [id: string, kind: Node["kind"]];

/** Prepares the statements that move nodes to the trash. */
export function createTrash(db: DatabaseSync, search: SearchIndexer): StepApplier<"trash"> {
  const root = db.prepare(`
    UPDATE nodes SET
      trash_root = id, version = version + 1, edited_time = ?4, edited_by = ?5
    WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND trash_root IS NULL
  `);
  const children: Query<Changed> = query(
    db,
    `UPDATE nodes SET trash_root = ?2, version = version + 1
    WHERE workspace_id = ?1 AND id IN (
      SELECT n.id FROM json_each(?3) wanted
      CROSS JOIN nodes n
        ON n.workspace_id = ?1 AND n.parent_id = wanted.value AND n.trash_root IS NULL
      LIMIT ${SLICE}
    ) RETURNING id, kind`,
  );
  const unfinished: Query<[string]> = query(
    db,
    `SELECT p.id FROM nodes p INDEXED BY nodes_in_trash
    WHERE p.workspace_id = ?1 AND p.trash_root = ?2 AND EXISTS (
      SELECT 1 FROM nodes n
      WHERE n.workspace_id = ?1 AND n.parent_id = p.id AND n.trash_root IS NULL
    ) LIMIT ${SLICE}`,
  );
  function* trashBelow(workspace: string, root: string, parents: readonly string[]): ChangeSteps {
    // The slices from the root down to the one whose children go next.
    const path = [parents];
    for (let above = path.at(-1); above !== undefined; above = path.at(-1)) {
      const changed = children.all(workspace, root, JSON.stringify(above));
      if (changed.length === 0) path.pop();
      else {
        path.push(changed.map(([id]) => id));
        search.trashed(workspace, pagesOf(changed));
        yield {};
      }
    }
  }
  /** Nodes of the deletion that have children outside of it, after an interruption. */
  const left = (workspace: string, root: string): string[] =>
    unfinished.all(workspace, root).map(([id]) => id);
  return function* (workspace, { id, version, edit }, from) {
    if (from === undefined) {
      expectOne(root.run(workspace, id, version, edit.time, edit.by));
      search.trashed(workspace, [id]);
      yield {};
      yield* trashBelow(workspace, id, [id]);
    } else {
      for (let some = left(workspace, id); some.length > 0; some = left(workspace, id)) {
        yield* trashBelow(workspace, id, some);
      }
    }
    for (const words of search.cutOff(workspace, id, { from: from?.words })) yield { words };
  };
}

/** Prepares the statements that restore nodes. */
export function createRestore(db: DatabaseSync, search: SearchIndexer): StepApplier<"restore"> {
  const root = db.prepare(`
    UPDATE nodes SET trash_root = NULL, version = version + 1, edited_time = ?4, edited_by = ?5
    WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND trash_root = id AND NOT EXISTS (
      SELECT 1 FROM purges u WHERE u.workspace_id = ?1 AND u.node_id = ?2
    ) AND (
      parent_id = '' OR EXISTS (
        SELECT 1 FROM nodes p
        WHERE p.workspace_id = ?1 AND p.id = nodes.parent_id AND p.trash_root IS NULL
      )
    )
  `);
  const below: Query<Changed> = query(
    db,
    `UPDATE nodes SET trash_root = NULL, version = version + 1
    WHERE workspace_id = ?1 AND id IN (
      SELECT id FROM nodes WHERE workspace_id = ?1 AND trash_root = ?2 LIMIT ${SLICE}
    ) RETURNING id, kind`,
  );
  function* restoreBelow(workspace: string, root: string): ChangeSteps {
    for (;;) {
      const changed = below.all(workspace, root);
      if (changed.length === 0) return;
      search.restored(workspace, pagesOf(changed));
      yield {};
    }
  }
  return function* (workspace, { id, version, edit }, from) {
    // Before, because behind nothing tells them from the other blocks of their page.
    const isResumed = from !== undefined;
    const steps = search.cutOff(workspace, id, { all: isResumed, from: from?.words });
    if (from === undefined) {
      expectOne(root.run(workspace, id, version, edit.time, edit.by));
      search.restored(workspace, [id]);
      yield {};
    }
    yield* restoreBelow(workspace, id);
    for (const words of steps) yield isResumed ? { words } : {};
  };
}

/** Blocks have no words of their own. */
function pagesOf(changed: readonly Changed[]): string[] {
  return changed.flatMap(([id, kind]) => kind === "block" ? [] : id);
}
