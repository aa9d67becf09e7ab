/**
 * Writing comments.
 *
 * @module
 */
import { checksumOf } from "../../checksum.ts";
import { statement } from "../query.ts";
import { insertUses, replaceUses } from "../uses.ts";
import type { Applier } from "./appliers.ts";
import { expectOne } from "./expectation.ts";

const insert = statement(`
  INSERT INTO comments (
    workspace_id, id, discussion_id, node_id, page_id, doc, has_mentions, version, created_time,
    created_by, edited_time, edited_by, checksum
  )
  SELECT $1, $2, $3, n.id, $5, $6, $7, $8, $9, $10, $11, $12, $13 FROM nodes n
  WHERE n.workspace_id = $1 AND n.id = $4 AND n.trash_root = ''
  ON CONFLICT DO NOTHING
`);
/** The page or block of the comment is outside the trash. */
const IS_LIVING = `EXISTS (
  SELECT FROM nodes n
  WHERE n.workspace_id = $1 AND n.id = comments.node_id AND n.trash_root = ''
)`;
const replace = statement(`
  UPDATE comments SET
    doc = $4, has_mentions = $5, edited_time = $6, edited_by = $7, checksum = $8,
    version = version + 1
  WHERE workspace_id = $1 AND id = $2 AND version = $3 AND ${IS_LIVING}
`);
const remove = statement(`
  DELETE FROM comments WHERE workspace_id = $1 AND id = $2 AND version = $3 AND ${IS_LIVING}
`);

/** Inserts a comment. */
export const createComment: Applier<"createComment"> = async (
  session,
  workspace,
  { comment: one },
) => {
  const { id, doc, hasMentions } = one;
  const [count] = await Promise.all([
    insert(
      session,
      ...[workspace, id, one.discussionId, one.nodeId, one.pageId, doc, hasMentions, one.version],
      ...[one.createdTime, one.createdBy, one.editedTime, one.editedBy],
      checksumOf({ id, title: "", doc }),
    ),
    insertUses(session, workspace, [{ id, doc, hasMentions }]),
  ]);
  expectOne(count);
};

/** Replaces the document of a comment. */
export const updateComment: Applier<"updateComment"> = async (session, workspace, change) => {
  const { id, version, doc, hasMentions, edit } = change;
  const state = [hasMentions, edit.time, edit.by, checksumOf({ id, title: "", doc })];
  const [count] = await Promise.all([
    replace(session, workspace, id, version, doc, ...state),
    replaceUses(session, workspace, [{ id, doc, hasMentions }], edit.time),
  ]);
  expectOne(count);
};

/** Deletes a comment. */
export const deleteComment: Applier<"deleteComment"> = async (session, workspace, change) => {
  const { id, version, time } = change;
  const [count] = await Promise.all([
    remove(session, workspace, id, version),
    replaceUses(session, workspace, [{ id, doc: "", hasMentions: false }], time),
  ]);
  expectOne(count);
};
