/**
 * Moving a page to another parent.
 *
 * @module
 */
import { requirePageDepth } from "../../../content/schema/page_depth.ts";
import { LIMITS } from "../../../content/values/limits.ts";
import { createLinkDeletion } from "../../admin/purge.ts";
import { createUnsealing } from "../../admin/text_blocks.ts";
import { checksumOf } from "../../checksum.ts";
import { TOP } from "../../reads/nodes.ts";
import { replaceCells } from "../cells.ts";
import { query, statement } from "../query.ts";
import { read, SOURCE } from "../reader.ts";
import { replaceUses } from "../uses.ts";
import type { Applier } from "./appliers.ts";
import { expect, expectOne } from "./expectation.ts";

// Walks up from the new parent: it must be outside the trash, and the page must not be above it.
// `UNION` visits no node twice, so that the walk ends in a damaged tree that is circular, too.
const above = query<[string]>(`
  WITH RECURSIVE above (id) AS (
    SELECT id FROM nodes WHERE workspace_id = $1 AND id = $2 AND trash_root = ''
    UNION
    SELECT n.parent_id FROM above JOIN nodes n ON n.workspace_id = $1 AND n.id = above.id
  )
  SELECT id FROM above WHERE id <> ''
`);
// Rows may be one level deeper, as new ones may be. The trash counts: what is in it can come back.
const height = query<[number]>(`
  WITH RECURSIVE below (id, height, parent_kind) AS (
    SELECT $2::text COLLATE "C", 1, $3::text
    UNION ALL
    SELECT n.id, below.height + 1, n.parent_kind FROM below JOIN nodes n
    ON n.workspace_id = $1 AND n.parent_id = below.id AND n.kind <> 'block'
    WHERE below.height <= ${LIMITS.pageDepth}
  )
  SELECT coalesce(max(height), 0) FROM below WHERE parent_kind <> 'database'
`);
const setPlace = statement(`
  UPDATE nodes SET
    parent_kind = $4, parent_id = $5, container_id = $6, position = $7,
    version = version + 1, edited_time = $8, edited_by = $9
  WHERE workspace_id = $1 AND id = $2 AND version = $3 AND kind = 'page' AND trash_root = ''
`);
const setContent = statement(`
  UPDATE nodes SET title = $3, doc = $4, checksum = $6, has_mentions = $5
  WHERE workspace_id = $1 AND id = $2
`);
const deleteCells = statement("DELETE FROM cells WHERE workspace_id = $1 AND node_id = $2");
const deleteLinks = createLinkDeletion(SOURCE);
const unseal = createUnsealing(SOURCE);

/** Moves a page; with content, what the page was as a row ends. */
export const move: Applier<"move"> = async (session, workspace, change) => {
  const { id, version, to, content, edit } = change;
  if (to.parentId !== null) {
    const ids = (await above.all(session, workspace, to.parentId)).map(([one]) => one);
    expect(ids.length > 0 && !ids.includes(id));
    const [[levels] = [0]] = await height.all(session, workspace, id, to.parentKind);
    requirePageDepth(ids.length + levels);
  }
  const place = [to.parentKind, to.parentId ?? TOP, to.containerId, to.position];
  const state = [...place, edit.time, edit.by];
  expectOne(await setPlace(session, workspace, id, version, ...state));
  if (content === undefined) return;
  const { title, doc, hasMentions, cells = [] } = content;
  const checksum = checksumOf({ id, title, doc });
  await read(session, unseal(workspace, [id]));
  await Promise.all([
    setContent(session, workspace, id, title, doc, hasMentions, checksum),
    replaceUses(session, workspace, [{ id, doc, hasMentions }], edit.time),
    deleteCells(session, workspace, id),
  ]);
  await read(session, deleteLinks(workspace, [id]));
  if (cells.length > 0) await replaceCells(session, workspace, [{ id, cells }]);
};
