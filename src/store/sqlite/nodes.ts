/**
 * Reading nodes.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Node, NodeView } from "../../content/schema/node.ts";
import { LIMITS } from "../../content/values/limits.ts";
import type { ChildrenOptions, SiblingPosition } from "../port.ts";
import type { Gap } from "../../content/values/position.ts";
import { assertIntact } from "../checksum.ts";
import { createGapReader } from "./gaps.ts";
import { type Query, query } from "./query.ts";

/** The workspace's top, as a parent. */
export const TOP = "";

const COLUMNS = `
  n.id, n.kind, n.type, n.parent_kind, nullif(n.parent_id, ''), n.container_id, n.position, n.title,
  n.doc, n.has_mentions, n.version, n.created_time, n.created_by, n.edited_time, n.edited_by,
  n.trash_root,
  EXISTS (
    SELECT 1 FROM nodes c
    WHERE c.workspace_id = n.workspace_id AND c.parent_id = n.id AND c.trash_root IS n.trash_root
  ),
  n.checksum
`;

/** COLUMNS, one for one. */
type Row = readonly [
  id: string,
  kind: Node["kind"],
  type: string,
  parentKind: Node["parentKind"],
  parentId: string | null,
  containerId: string | null,
  position: string,
  title: string,
  doc: string,
  hasMentions: number,
  version: number,
  createdTime: number,
  createdBy: string,
  editedTime: number,
  editedBy: string,
  trashRoot: string | null,
  hasChildren: number,
  checksum: number | null,
];

export interface NodeReader {
  node(workspace: string, id: string): NodeView | undefined;
  version(workspace: string, id: string): number | undefined;
  children(workspace: string, parentId: string, options: ChildrenOptions): NodeView[];
  gap(workspace: string, parentId: string | null, place: SiblingPosition): Gap | undefined;
  nodes(workspace: string, ids: readonly string[]): NodeView[];
  /** The first of these nodes, in their order: those of a page, and the next. */
  firstNodes(workspace: string, ids: readonly string[]): NodeView[];
  titles(workspace: string, ids: readonly string[]): Map<string, string>;
}

/** Prepares the statements that read nodes. */
export function createNodeReader(db: DatabaseSync): NodeReader {
  const node: Query<Row> = query(
    db,
    `SELECT ${COLUMNS} FROM nodes n WHERE n.workspace_id = ? AND n.id = ?`,
  );
  const nodes: Query<Row> = query(
    db,
    `SELECT ${COLUMNS} FROM json_each(?2) wanted
    CROSS JOIN nodes n ON n.workspace_id = ?1 AND n.id = wanted.value`,
  );
  const version: Query<[number]> = query(
    db,
    "SELECT n.version FROM nodes n WHERE n.workspace_id = ? AND n.id = ?",
  );
  const titles: Query<[id: string, title: string]> = query(
    db,
    `SELECT n.id, n.title FROM json_each(?2) wanted
    CROSS JOIN nodes n ON n.workspace_id = ?1 AND n.id = wanted.value
    WHERE n.kind <> 'block'`,
  );
  const gap = createGapReader(db);
  return {
    node(workspace, id) {
      const row = node.get(workspace, id);
      return row === undefined ? undefined : toView(workspace, row);
    },
    nodes: (workspace, ids) =>
      nodes.all(workspace, JSON.stringify([...new Set(ids)])).map((row) => toView(workspace, row)),
    firstNodes: createFirstReader(db, nodes),
    version: (workspace, id) => version.get(workspace, id)?.[0],
    children: createChildrenReader(db),
    titles: (workspace, ids) => new Map(titles.all(workspace, JSON.stringify(ids))),
    gap: (workspace, parentId, place) => gap(workspace, parentId ?? TOP, place),
  };
}

function createFirstReader(db: DatabaseSync, nodes: Query<Row>): NodeReader["firstNodes"] {
  const longest: Query<Longest> = query(
    db,
    `SELECT max(octet_length(n.doc)) FROM json_each(?2) wanted
    CROSS JOIN nodes n ON n.workspace_id = ?1 AND n.id = wanted.value`,
  );
  return (workspace, ids) =>
    firstOf({ nodes, longest, values: [workspace, JSON.stringify(ids)], limit: ids.length });
}

function createChildrenReader(db: DatabaseSync): NodeReader["children"] {
  // Joined to its parent, so that the workspace's top, which is no node, lists nothing.
  const children = `
    FROM nodes p JOIN nodes n
      ON n.workspace_id = p.workspace_id AND n.parent_id = p.id AND n.trash_root IS p.trash_root
    WHERE p.workspace_id = ? AND p.id = ? AND n.position > ?
    ORDER BY n.position LIMIT ?`;
  const nodes: Query<Row> = query(db, `SELECT ${COLUMNS} ${children}`);
  const longest: Query<Longest> = query(
    db,
    `SELECT max(bytes) FROM (SELECT octet_length(n.doc) AS bytes ${children})`,
  );
  return (workspace, parentId, { after = "", limit }) =>
    firstOf({ nodes, longest, values: [workspace, parentId, after, limit], limit });
}

/** The bytes of the longest document; null where there is none. */
type Longest = readonly [bytes: number | null];

interface First {
  readonly nodes: Query<Row>;
  /** Of the same nodes: SQLite knows it without reading the documents. */
  readonly longest: Query<Longest>;
  /** What both are asked with, the workspace first. */
  readonly values: readonly [workspace: string, ...values: (string | number)[]];
  readonly limit: number;
}

/** Reads nodes in their order, but no further than a page and the next node. */
function firstOf({ nodes, longest, values, limit }: First): NodeView[] {
  const [workspace] = values;
  const [bytes] = longest.get(...values) ?? [];
  // All at once is twice as fast as one by one.
  if ((bytes ?? 0) * limit <= LIMITS.pageLength) {
    return nodes.all(...values).map((row) => toView(workspace, row));
  }
  const found: NodeView[] = [];
  let length = 0;
  for (const row of nodes.iterate(...values)) {
    const node = toView(workspace, row);
    found.push(node);
    if (length >= LIMITS.pageLength) break;
    length += node.doc.length;
  }
  return found;
}

/** The one way of a document out of the database: throws `data_corrupted` unless it is intact. */
function toView(workspace: string, row: Row): NodeView {
  const view: NodeView = {
    id: row[0],
    kind: row[1],
    type: row[2],
    parentKind: row[3],
    parentId: row[4],
    containerId: row[5],
    position: row[6],
    title: row[7],
    doc: row[8],
    hasMentions: row[9] === 1,
    version: row[10],
    createdTime: row[11],
    createdBy: row[12],
    editedTime: row[13],
    editedBy: row[14],
    trashRoot: row[15],
    hasChildren: row[16] === 1,
  };
  assertIntact(workspace, view, row[17]);
  return view;
}
