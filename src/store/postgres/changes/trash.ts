/**
 * To the trash and back.
 *
 * @module
 */
import { statement } from "../query.ts";
import type { Applier } from "./appliers.ts";
import { expectOne } from "./expectation.ts";

const trashRoot = statement(`
  UPDATE nodes SET trash_root = id, version = version + 1, edited_time = $4, edited_by = $5
  WHERE workspace_id = $1 AND id = $2 AND version = $3 AND trash_root = ''
`);
const trashBelow = statement(`
  WITH RECURSIVE below (id) AS (
    SELECT id FROM nodes WHERE workspace_id = $1 AND parent_id = $2 AND trash_root = ''
    UNION ALL
    SELECT n.id FROM below
    JOIN nodes n ON n.workspace_id = $1 AND n.parent_id = below.id AND n.trash_root = ''
  )
  UPDATE nodes SET trash_root = $2, version = version + 1
  WHERE workspace_id = $1 AND id IN (SELECT id FROM below)
`);
const restoreRoot = statement(`
  UPDATE nodes SET trash_root = '', version = version + 1, edited_time = $4, edited_by = $5
  WHERE workspace_id = $1 AND id = $2 AND version = $3 AND trash_root = id AND (
    parent_id = '' OR EXISTS (
      SELECT FROM nodes p
      WHERE p.workspace_id = $1 AND p.id = nodes.parent_id AND p.trash_root = ''
    )
  )
`);
const restoreBelow = statement(`
  UPDATE nodes SET trash_root = '', version = version + 1
  WHERE workspace_id = $1 AND trash_root = $2 AND trash_root <> ''
`);

/** Takes a node to the trash, and what lives below it. */
export const trash: Applier<"trash"> = async (session, workspace, { id, version, edit }) => {
  const [count] = await Promise.all([
    trashRoot(session, workspace, id, version, edit.time, edit.by),
    trashBelow(session, workspace, id),
  ]);
  expectOne(count);
};

/** Brings a node back, and what its deletion took along. */
export const restore: Applier<"restore"> = async (session, workspace, { id, version, edit }) => {
  const [count] = await Promise.all([
    restoreRoot(session, workspace, id, version, edit.time, edit.by),
    restoreBelow(session, workspace, id),
  ]);
  expectOne(count);
};
