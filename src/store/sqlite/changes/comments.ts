/**
 * Writing comments.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { checksumOf } from "../../checksum.ts";
import type { Applier, Appliers } from "./appliers.ts";
import { expectOne } from "./expectation.ts";
import type { BesideNodes } from "./nodes.ts";

type Parts = Pick<BesideNodes, "search" | "uses">;

/** The page or block of comment `?2` is outside the trash. */
const IS_LIVING = `EXISTS (
  SELECT 1 FROM nodes n
  WHERE n.workspace_id = ?1 AND n.id = comments.node_id AND n.trash_root IS NULL
)`;

/** Prepares the statements that change comments. */
export function createCommentAppliers(
  db: DatabaseSync,
  parts: Parts,
): Pick<Appliers, "createComment" | "updateComment" | "deleteComment"> {
  return {
    createComment: createNew(db, parts),
    updateComment: createUpdate(db, parts),
    deleteComment: createDelete(db, parts),
  };
}

function createNew(db: DatabaseSync, { search, uses }: Parts): Applier<"createComment"> {
  const insert = db.prepare(`
    INSERT INTO comments (
      workspace_id, id, discussion_id, node_id, page_id, doc, has_mentions, version, created_time,
      created_by, edited_time, edited_by, checksum
    )
    SELECT ?1, ?2, ?3, n.id, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13 FROM nodes n
    WHERE n.workspace_id = ?1 AND n.id = ?4 AND n.trash_root IS NULL
  `);
  return (workspace, { comment: one }) => {
    const { id, doc, hasMentions } = one;
    expectOne(insert.run(
      ...[workspace, id, one.discussionId, one.nodeId, one.pageId, doc, hasMentions ? 1 : 0],
      ...[one.version, one.createdTime, one.createdBy, one.editedTime, one.editedBy],
      checksumOf({ id, title: "", doc }),
    ));
    search.commented({ id, pageId: one.pageId, isNew: true });
    uses.insert(workspace, { id, doc, hasMentions, time: one.editedTime });
  };
}

function createUpdate(db: DatabaseSync, { search, uses }: Parts): Applier<"updateComment"> {
  const update = db.prepare(`
    UPDATE comments SET
      doc = ?4, has_mentions = ?5, edited_time = ?6, edited_by = ?7, checksum = ?8,
      version = version + 1
    WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND ${IS_LIVING}
  `);
  return (workspace, { id, pageId, version, doc, hasMentions, edit }) => {
    const checksum = checksumOf({ id, title: "", doc });
    const values = [workspace, id, version, doc, hasMentions ? 1 : 0, edit.time, edit.by, checksum];
    expectOne(update.run(...values));
    search.commented({ id, pageId, isNew: false });
    uses.replace(workspace, { id, doc, hasMentions, time: edit.time });
  };
}

function createDelete(db: DatabaseSync, { search, uses }: Parts): Applier<"deleteComment"> {
  const remove = db.prepare(`
    DELETE FROM comments WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND ${IS_LIVING}
  `);
  return (workspace, { id, pageId, version, time }) => {
    expectOne(remove.run(workspace, id, version));
    search.commented({ id, pageId, isNew: false });
    uses.replace(workspace, { id, doc: "", hasMentions: false, time });
  };
}
