/**
 * Reading nodes.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { NodeView } from "../../content/node.ts";
import type { Gap } from "../../content/position.ts";
import type { ChildrenOptions, Place } from "../port.ts";

/** The workspace's top, as a parent. */
export const TOP = "";

const COLUMNS = `
  n.id, n.kind, n.type,
  n.parent_kind AS parentKind, nullif(n.parent_id, '') AS parentId,
  n.container_id AS containerId, n.position, n.title, n.doc,
  n.has_mentions AS hasMentions, n.version,
  n.created_time AS createdTime, n.created_by AS createdBy,
  n.edited_time AS editedTime, n.edited_by AS editedBy,
  n.trash_root AS trashRoot,
  EXISTS (
    SELECT 1 FROM nodes c
    WHERE c.workspace_id = n.workspace_id AND c.parent_id = n.id AND c.trash_root IS n.trash_root
  ) AS hasChildren
`;

/** A view as SQLite gives it: its two booleans are numbers. */
type Row = Omit<NodeView, "hasMentions" | "hasChildren"> & {
  readonly hasMentions: number;
  readonly hasChildren: number;
};

export interface NodeReader {
  node(workspace: string, id: string): NodeView | undefined;
  children(workspace: string, parentId: string, options: ChildrenOptions): NodeView[];
  gap(workspace: string, parentId: string | null, place: Place): Gap | undefined;
  titles(workspace: string, ids: readonly string[]): Map<string, string>;
}

/** Prepares the statements that read nodes. */
export function createNodeReader(connection: DatabaseSync): NodeReader {
  const node = connection.prepare(
    `SELECT ${COLUMNS} FROM nodes n WHERE n.workspace_id = ? AND n.id = ?`,
  );
  const children = connection.prepare(`
    SELECT ${COLUMNS} FROM nodes n
    WHERE n.workspace_id = ?1 AND n.parent_id = ?2 AND n.position > ?3 AND n.trash_root IS (
      SELECT p.trash_root FROM nodes p WHERE p.workspace_id = ?1 AND p.id = ?2
    )
    ORDER BY n.position LIMIT ?4
  `);
  const titles = connection.prepare(`
    SELECT n.id, n.title FROM json_each(?2) wanted
    JOIN nodes n ON n.workspace_id = ?1 AND n.id = wanted.value
    WHERE n.kind <> 'block'
  `);
  const gap = createGapReader(connection);
  return {
    node(workspace, id) {
      const row = node.get(workspace, id);
      return row === undefined ? undefined : toView(row);
    },
    children: (workspace, parentId, { after = "", limit }) =>
      children.all(workspace, parentId, after, limit).map(toView),
    titles: (workspace, ids) =>
      new Map(
        titles.all(workspace, JSON.stringify(ids))
          .map(({ id, title }) => [String(id), String(title)]),
      ),
    gap: (workspace, parentId, place) => gap(workspace, parentId ?? TOP, place),
  };
}

function toView(columns: Record<string, unknown>): NodeView {
  // Sound because COLUMNS names exactly these, from a STRICT table that only commits write.
  const row = columns as unknown as Row;
  return { ...row, hasMentions: row.hasMentions === 1, hasChildren: row.hasChildren === 1 };
}

function createGapReader(
  connection: DatabaseSync,
): (workspace: string, parentId: string, place: Place) => Gap | undefined {
  const siblings = "SELECT position FROM nodes WHERE workspace_id = ? AND parent_id = ?";
  const first = connection.prepare(`${siblings} ORDER BY position LIMIT 1`);
  const last = connection.prepare(`${siblings} ORDER BY position DESC LIMIT 1`);
  const next = connection.prepare(`${siblings} AND position > ? ORDER BY position LIMIT 1`);
  const living = connection.prepare(`${siblings} AND id = ? AND trash_root IS NULL`);
  return (workspace, parentId, place) => {
    if (place === "start") {
      return { after: null, before: positionOf(first.get(workspace, parentId)) };
    }
    if (place === "end") {
      return { after: positionOf(last.get(workspace, parentId)), before: null };
    }
    const after = positionOf(living.get(workspace, parentId, place.after));
    if (after === null) return undefined;
    return { after, before: positionOf(next.get(workspace, parentId, after)) };
  };
}

function positionOf(row: Record<string, unknown> | undefined): string | null {
  return row === undefined ? null : String(row.position);
}
