/**
 * Moving nodes to the trash and restoring them.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { batchesOf } from "../../batches.ts";
import type { SearchIndexer } from "../search/indexer.ts";
import type { ChangeSteps, StepApplier } from "./appliers.ts";
import { type Query, query } from "../query.ts";
import { SLICE } from "../slices.ts";
import { expectOne } from "./expectation.ts";

/** The length of its document, which SQLite writes as a whole though only the state changes. */
type Sized = readonly [id: string, length: number];

/** Prepares the statements that move nodes to the trash. */
export function createTrash(db: DatabaseSync, search: SearchIndexer): StepApplier<"trash"> {
  const root = db.prepare(`
    UPDATE nodes SET
      trash_root = id, version = version + 1, edited_time = ?4, edited_by = ?5
    WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND trash_root IS NULL
  `);
  const children: Query<Sized> = query(
    db,
    `SELECT n.id, octet_length(n.doc) FROM json_each(?2) wanted
    CROSS JOIN nodes n
      ON n.workspace_id = ?1 AND n.parent_id = wanted.value AND n.trash_root IS NULL
    LIMIT ${SLICE}`,
  );
  const mark = createMark(db);
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
      const found = children.all(workspace, JSON.stringify(above));
      if (found.length === 0) path.pop();
      for (const ids of idsOfBatches(found)) {
        mark(workspace, ids, root);
        path.push(ids);
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
  const below: Query<Sized> = query(
    db,
    `SELECT id, octet_length(doc) FROM nodes WHERE workspace_id = ?1 AND trash_root = ?2
    LIMIT ${SLICE}`,
  );
  const mark = createMark(db);
  function* restoreBelow(workspace: string, root: string): ChangeSteps {
    for (;;) {
      const found = below.all(workspace, root);
      if (found.length === 0) return;
      for (const ids of idsOfBatches(found)) {
        mark(workspace, ids, null);
        yield {};
      }
    }
  }
  return function* (workspace, { id, version, edit }, from) {
    // Before, because behind nothing tells them from the other blocks of their page.
    const isResumed = from !== undefined;
    const steps = search.cutOff(workspace, id, { all: isResumed, from: from?.words });
    if (from === undefined) {
      expectOne(root.run(workspace, id, version, edit.time, edit.by));
      yield {};
    }
    yield* restoreBelow(workspace, id);
    for (const words of steps) yield isResumed ? { words } : {};
  };
}

/** Prepares the statement that puts nodes into the trash by a deletion, or out of it. */
function createMark(
  db: DatabaseSync,
): (workspace: string, ids: readonly string[], root: string | null) => void {
  const mark = db.prepare(`
    UPDATE nodes SET trash_root = ?3, version = version + 1
    WHERE workspace_id = ?1 AND id IN (SELECT value FROM json_each(?2))
  `);
  return (workspace, ids, root) => void mark.run(workspace, JSON.stringify(ids), root);
}

function idsOfBatches(nodes: readonly Sized[]): string[][] {
  const sized = nodes.map(([id, length]) => ({ id, length }));
  return batchesOf(sized, SLICE).map((batch) => batch.map(({ id }) => id));
}
