/**
 * Moving nodes to the trash and restoring them.
 *
 * @module
 */
import { statement } from "../query.ts";
import type { Applier } from "./appliers.ts";
import { expectOne } from "./expectation.ts";

/** Nodes of one statement: few enough for its time limit, and enough to traverse a tree rarely. */
const BATCH = 20_000;

const trashRoot = statement(`
  UPDATE nodes SET trash_root = id, version = version + 1, edited_time = $4, edited_by = $5
  WHERE workspace_id = $1 AND id = $2 AND version = $3 AND trash_root = ''
`);
// The deepest first, so that the next batch finds its way to what is left.
const trashBelow = statement(`
  WITH RECURSIVE below (id, depth) AS (
    SELECT id, 1 FROM nodes WHERE workspace_id = $1 AND parent_id = $2 AND trash_root = ''
    UNION ALL
    SELECT n.id, below.depth + 1 FROM below
    JOIN nodes n ON n.workspace_id = $1 AND n.parent_id = below.id AND n.trash_root = ''
  )
  UPDATE nodes SET trash_root = $2, version = version + 1
  WHERE workspace_id = $1 AND id IN (SELECT id FROM below ORDER BY depth DESC LIMIT ${BATCH})
`);
const restoreRoot = statement(`
  UPDATE nodes SET trash_root = '', version = version + 1, edited_time = $4, edited_by = $5
  WHERE workspace_id = $1 AND id = $2 AND version = $3 AND trash_root = id AND NOT EXISTS (
      SELECT 1 FROM purges u WHERE u.workspace_id = $1 AND u.node_id = $2
    ) AND (
    parent_id = '' OR EXISTS (
      SELECT FROM nodes p
      WHERE p.workspace_id = $1 AND p.id = nodes.parent_id AND p.trash_root = ''
    )
  )
`);
const restoreBelow = statement(`
  UPDATE nodes SET trash_root = '', version = version + 1
  WHERE workspace_id = $1 AND id IN (
    SELECT id FROM nodes
    WHERE workspace_id = $1 AND trash_root = $2 AND trash_root <> '' AND id <> $2 LIMIT ${BATCH}
  )
`);

/** Moves a node and its descendants to the trash. */
export const trash: Applier<"trash"> = async (session, workspace, { id, version, edit }) => {
  const [count, taken] = await Promise.all([
    trashRoot(session, workspace, id, version, edit.time, edit.by),
    trashBelow(session, workspace, id),
  ]);
  expectOne(count);
  for (let some = taken; some === BATCH;) some = await trashBelow(session, workspace, id);
};

/** Restores a node and everything that its deletion moved to the trash. */
export const restore: Applier<"restore"> = async (session, workspace, { id, version, edit }) => {
  const [count, taken] = await Promise.all([
    restoreRoot(session, workspace, id, version, edit.time, edit.by),
    restoreBelow(session, workspace, id),
  ]);
  expectOne(count);
  for (let some = taken; some === BATCH;) some = await restoreBelow(session, workspace, id);
};
