/**
 * The columns of a node, and the node in them.
 *
 * @module
 */
import type { Node, NodeView } from "../../content/schema/node.ts";
import { assertIntact } from "../checksum.ts";
import type { ReadDialect } from "./dialect.ts";

/** A boolean as a database returns it. */
export type Flag = boolean | 0 | 1;

/** The columns of node `n`; `text` writes its title and document, the long ones. */
export function nodeColumns(
  dialect: ReadDialect,
  text: (column: string) => string = (column) => column,
): string {
  const { trashRoot } = dialect;
  return `
    n.id, n.kind, n.type, n.parent_kind, nullif(n.parent_id, ''), n.container_id, n.position,
    ${text("n.title")}, ${
    text("n.doc")
  }, n.has_mentions, n.version, n.created_time, n.created_by, n.edited_time,
    n.edited_by, ${trashRoot("n.trash_root")}, ${hasChildren(dialect)},
    n.checksum
  `;
}

/**
 * The condition that node `n` has children. The first child is asked for by its position, because only
 * the index of children has that order: where most nodes are rows of one database, PostgreSQL expects as
 * much of any parent, and would look for a child among all nodes.
 */
export function hasChildren({ sameState }: ReadDialect): string {
  return `(
      SELECT 1 FROM nodes c WHERE c.workspace_id = n.workspace_id AND c.parent_id = n.id
        AND ${sameState("c.trash_root", "n.trash_root")}
      ORDER BY c.position LIMIT 1
    ) IS NOT NULL`;
}

/** `nodeColumns()`, one for one. */
export type NodeRow = readonly [
  id: string,
  kind: Node["kind"],
  type: string,
  parentKind: Node["parentKind"],
  parentId: string | null,
  containerId: string | null,
  position: string,
  title: string,
  doc: string,
  hasMentions: Flag,
  version: number,
  createdTime: number,
  createdBy: string,
  editedTime: number,
  editedBy: string,
  trashRoot: string | null,
  hasChildren: Flag,
  checksum: number | null,
];

/** The place of the node's version in its row. */
export const VERSION = 10;

/** The columns of a node that may be long. */
export type NodeText = readonly [title: string, doc: string];

/** Returns whether the row was read with its document. */
export function hasDoc(row: NodeRow): boolean {
  return typeof row[8] === "string";
}

/**
 * Converts a row to a node, with this text if the row was read without. Throws `data_corrupted` if its
 * document is damaged.
 */
export function toView(
  workspace: string,
  row: NodeRow,
  [title, doc]: NodeText = [row[7], row[8]],
): NodeView {
  const view: NodeView = {
    id: row[0],
    kind: row[1],
    type: row[2],
    parentKind: row[3],
    parentId: row[4],
    containerId: row[5],
    position: row[6],
    title,
    doc,
    hasMentions: Boolean(row[9]),
    version: row[VERSION],
    createdTime: row[11],
    createdBy: row[12],
    editedTime: row[13],
    editedBy: row[14],
    trashRoot: row[15],
    hasChildren: Boolean(row[16]),
  };
  assertIntact(workspace, view, row[17]);
  return view;
}
