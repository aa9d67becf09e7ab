/**
 * Moving a page to another parent.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { requirePageDepth } from "../../../content/schema/page_depth.ts";
import { LIMITS } from "../../../content/values/limits.ts";
import { createLinkDeletion } from "../../admin/purge.ts";
import { createUnsealing } from "../../admin/text_blocks.ts";
import { checksumOf } from "../../checksum.ts";
import { TOP } from "../../reads/nodes.ts";
import { createReader } from "../reader.ts";
import { type Query, query } from "../query.ts";
import type { ChangeOf, StepApplier } from "./appliers.ts";
import { expect, expectOne } from "./expectation.ts";
import type { BesideNodes } from "./nodes.ts";

/** Prepares the statements that move a page. */
export function createMove(
  db: DatabaseSync,
  { cells, search, uses }: BesideNodes,
): StepApplier<"move"> {
  // Walks up from the new parent: it must be outside the trash, and the page must not be above it.
  // `UNION` visits no node twice, so that the walk ends in a damaged tree that is circular, too.
  const above: Query<[id: string]> = query(
    db,
    `WITH RECURSIVE above (id) AS (
      SELECT id FROM nodes WHERE workspace_id = ?1 AND id = ?2 AND trash_root IS NULL
      UNION
      SELECT n.parent_id FROM above CROSS JOIN nodes n ON n.workspace_id = ?1 AND n.id = above.id
    )
    SELECT id FROM above WHERE id <> ''`,
  );
  // Rows may be one level deeper, as new ones may be. The trash counts: what is in it can come back.
  const height: Query<[number]> = query(
    db,
    `WITH RECURSIVE below (id, height, parent_kind) AS (
      SELECT ?2, 1, ?3
      UNION ALL
      SELECT n.id, below.height + 1, n.parent_kind FROM below CROSS JOIN nodes n
      ON n.workspace_id = ?1 AND n.parent_id = below.id AND n.kind <> 'block'
      WHERE below.height <= ${LIMITS.pageDepth}
    )
    SELECT coalesce(max(height), 0) FROM below WHERE parent_kind <> 'database'`,
  );
  const place = db.prepare(`
    UPDATE nodes SET
      parent_kind = ?4, parent_id = ?5, container_id = ?6, position = ?7,
      version = version + 1, edited_time = ?8, edited_by = ?9
    WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND kind = 'page' AND trash_root IS NULL
  `);
  const replace = db.prepare(`
    UPDATE nodes SET title = ?3, doc = ?4, checksum = ?6, has_mentions = ?5
    WHERE workspace_id = ?1 AND id = ?2
  `);
  const { source, run } = createReader(db);
  const deleteLinks = createLinkDeletion(source);
  const unseal = createUnsealing(source);
  const created: Query<[number]> = query(
    db,
    "SELECT created_time FROM nodes WHERE workspace_id = ? AND id = ?",
  );
  const deleteCells = db.prepare("DELETE FROM cells WHERE workspace_id = ? AND node_id = ?");
  const move = (workspace: string, { id, version, to, content, edit }: ChangeOf<"move">): void => {
    if (to.parentId !== null) {
      const ids = above.all(workspace, to.parentId).map(([one]) => one);
      expect(ids.length > 0 && !ids.includes(id));
      const [levels = 0] = height.get(workspace, id, to.parentKind) ?? [];
      requirePageDepth(ids.length + levels);
    }
    const values = [to.parentKind, to.parentId ?? TOP, to.containerId, to.position];
    expectOne(place.run(workspace, id, version, ...values, edit.time, edit.by));
    if (content === undefined) return;
    const { title, doc, hasMentions, cells: own = [] } = content;
    replace.run(workspace, id, title, doc, hasMentions ? 1 : 0, checksumOf({ id, title, doc }));
    uses.replace(workspace, { id, doc, hasMentions, time: edit.time });
    run(deleteLinks(workspace, [id]));
    run(unseal(workspace, [id]));
    deleteCells.run(workspace, id);
    if (own.length > 0 && to.parentId !== null) {
      const [createdTime = 0] = created.get(workspace, id) ?? [];
      cells.insert(workspace, { id, databaseId: to.parentId, createdTime }, own);
    }
  };
  return function* (workspace, change, from) {
    if (from === undefined) {
      move(workspace, change);
      yield {};
    }
    for (const words of search.moved(workspace, change.id, from?.words)) yield { words };
  };
}
