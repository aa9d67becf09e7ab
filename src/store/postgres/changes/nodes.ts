/**
 * Inserting and updating nodes.
 *
 * @module
 */
import type { Node } from "../../../content/schema/node.ts";
import { checksumOf } from "../../checksum.ts";
import { TOP } from "../../reads/nodes.ts";
import { replaceCells } from "../cells.ts";
import { statement } from "../query.ts";
import { insertUses, replaceUses } from "../uses.ts";
import type { Applier } from "./appliers.ts";
import { expect, expectOne } from "./expectation.ts";

/** The trash root of a node outside the trash. */
const ALIVE = "";

const COLUMNS = `
  id, kind, type, parent_kind, parent_id, container_id, position, title, doc, has_mentions, version,
  created_time, created_by, edited_time, edited_by, trash_root, checksum
`;

const insert = statement(`
  INSERT INTO nodes (workspace_id, ${COLUMNS})
  SELECT $1, ${COLUMNS} FROM json_to_recordset($2::json) AS fresh (
    id text, kind text, type text, parent_kind text, parent_id text, container_id text,
    position text, title text, doc text, has_mentions boolean, version integer,
    created_time bigint, created_by text, edited_time bigint, edited_by text, trash_root text,
    checksum integer
  )
  WHERE cardinality($3::text[]) = (
    SELECT count(*) FROM nodes
    WHERE workspace_id = $1 AND id = ANY ($3::text[]) AND trash_root = ''
  )
  ON CONFLICT DO NOTHING
`);
const replace = statement(`
  UPDATE nodes SET
    title = $4, doc = $5, checksum = $9, has_mentions = $6,
    version = version + 1, edited_time = $7, edited_by = $8
  WHERE workspace_id = $1 AND id = $2 AND version = $3 AND trash_root = ''
`);
const mark = statement(`
  UPDATE nodes SET version = version + 1, edited_time = $3, edited_by = $4
  WHERE workspace_id = $1 AND id = $2 AND kind <> 'block' AND trash_root = ''
`);

/**
 * Inserts nodes. Their parents must exist outside the trash, or come earlier in the list. If an ID or a
 * position is taken, the statement does not fail: the server would log an error for it and for each
 * statement that was sent after it.
 */
export const inserts: Applier<"inserts"> = async (session, workspace, { changes }) => {
  const parents = parentsOf(changes.map(({ node }) => node));
  const rows = changes.flatMap(({ node: { id }, cells }) =>
    cells === undefined ? [] : [{ id, cells }]
  );
  const [count] = await Promise.all([
    insert(session, workspace, changes.map(({ node }) => toColumns(node)), parents),
    replaceCells(session, workspace, rows),
    insertUses(session, workspace, changes.map(({ node }) => node)),
  ]);
  expect(count === changes.length);
};

/** The parents that must be in the database already. */
function parentsOf(nodes: readonly Node[]): string[] {
  const fresh = new Set<string>();
  const parents = new Set<string>();
  for (const { id, parentKind, parentId, trashRoot } of nodes) {
    const parent = parentId ?? TOP;
    if (parentKind !== "workspace" && !fresh.has(parent)) parents.add(parent);
    if (trashRoot === null) fresh.add(id);
  }
  return [...parents];
}

function toColumns(node: Node): object {
  return {
    id: node.id,
    kind: node.kind,
    type: node.type,
    parent_kind: node.parentKind,
    parent_id: node.parentId ?? TOP,
    container_id: node.containerId,
    position: node.position,
    title: node.title,
    doc: node.doc,
    has_mentions: node.hasMentions,
    version: node.version,
    created_time: node.createdTime,
    created_by: node.createdBy,
    edited_time: node.editedTime,
    edited_by: node.editedBy,
    trash_root: node.trashRoot ?? ALIVE,
    checksum: checksumOf(node),
  };
}

/** Replaces a node's content. */
export const update: Applier<"update"> = async (session, workspace, change) => {
  const { id, version, title, doc, hasMentions, edit, cells } = change;
  const state = [hasMentions, edit.time, edit.by, checksumOf({ id, title, doc })];
  const replaced = replace(session, workspace, id, version, title, doc, ...state).then(expectOne);
  try {
    await Promise.all([
      replaced,
      replaceCells(session, workspace, cells === undefined ? [] : [{ id, cells }]),
      replaceUses(session, workspace, [{ id, doc, hasMentions }], edit.time),
    ]);
  } catch (error) {
    // Cells that another version was to have may not fit their columns.
    await replaced;
    throw error;
  }
};

/** Marks a node as edited. */
export const touch: Applier<"touch"> = async (session, workspace, { id, edit }) => {
  await mark(session, workspace, id, edit.time, edit.by);
};
