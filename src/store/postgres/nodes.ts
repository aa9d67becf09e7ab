/**
 * Reading nodes.
 *
 * @module
 */
import { LIMITS } from "../../content/values/limits.ts";
import type { Node, NodeView } from "../../content/schema/node.ts";
import type { Gap } from "../../content/values/position.ts";
import type { ChildrenOptions, SiblingPosition } from "../port.ts";
import { assertIntact } from "../checksum.ts";
import { readGap } from "./gaps.ts";
import { query, type Session } from "./query.ts";

/** The workspace's top, as a parent. */
export const TOP = "";

/** The deletion that took along what lives. */
export const ALIVE = "";

const COLUMNS = `
  n.id, n.kind, n.type, n.parent_kind, nullif(n.parent_id, ''), n.container_id, n.position, n.title,
  n.doc, n.has_mentions, n.version, n.created_time, n.created_by, n.edited_time, n.edited_by,
  nullif(n.trash_root, ''),
  EXISTS (
    SELECT FROM nodes c
    WHERE c.workspace_id = n.workspace_id AND c.parent_id = n.id AND c.trash_root = n.trash_root
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
  hasMentions: boolean,
  version: number,
  createdTime: number,
  createdBy: string,
  editedTime: number,
  editedBy: string,
  trashRoot: string | null,
  hasChildren: boolean,
  checksum: number | null,
];

const one = query<Row>(
  `SELECT ${COLUMNS} FROM nodes n WHERE n.workspace_id = $1 AND n.id = $2`,
);
const several = query<Row>(
  `SELECT ${COLUMNS} FROM nodes n WHERE n.workspace_id = $1 AND n.id = ANY ($2::text[])`,
);
// No further than a page is long, and one more: of that the characters before the one before it tell.
const BEFORE = "ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING";
const first = query<Row>(
  `SELECT ${COLUMNS} FROM (
    SELECT w.id, w.at, sum(length(s.doc)) OVER (ORDER BY w.at ${BEFORE}) AS before
    FROM unnest($2::text[]) WITH ORDINALITY w (id, at)
    CROSS JOIN LATERAL (
      SELECT n.doc FROM nodes n WHERE n.workspace_id = $1 AND n.id = w.id LIMIT 1
    ) s
  ) w CROSS JOIN LATERAL (
    SELECT * FROM nodes n WHERE n.workspace_id = $1 AND n.id = w.id LIMIT 1
  ) n
  WHERE coalesce(w.before, 0) < $3 ORDER BY w.at`,
);
const version = query<[number]>(
  "SELECT n.version FROM nodes n WHERE n.workspace_id = $1 AND n.id = $2",
);
const titles = query<[id: string, title: string]>(
  `SELECT n.id, n.title FROM nodes n
  WHERE n.workspace_id = $1 AND n.id = ANY ($2::text[]) AND n.kind <> 'block'`,
);
// Joined to its parent, so that the workspace's top, which is no node, lists nothing.
const children = query<Row>(
  `SELECT ${COLUMNS} FROM (
    SELECT c.*, sum(length(c.doc)) OVER (ORDER BY c.position ${BEFORE}) AS before FROM (
      SELECT c.* FROM nodes p JOIN nodes c
        ON c.workspace_id = p.workspace_id AND c.parent_id = p.id AND c.trash_root = p.trash_root
      WHERE p.workspace_id = $1 AND p.id = $2 AND c.position > $3
      ORDER BY c.position LIMIT $4
    ) c
  ) n
  WHERE coalesce(n.before, 0) < $5 ORDER BY n.position`,
);

export interface NodeReader {
  node(workspace: string, id: string): Promise<NodeView | undefined>;
  version(workspace: string, id: string): Promise<number | undefined>;
  children(workspace: string, parentId: string, options: ChildrenOptions): Promise<NodeView[]>;
  gap(workspace: string, parentId: string | null, place: SiblingPosition): Promise<Gap | undefined>;
  nodes(workspace: string, ids: readonly string[]): Promise<NodeView[]>;
  firstNodes(workspace: string, ids: readonly string[]): Promise<NodeView[]>;
  titles(workspace: string, ids: readonly string[]): Promise<Map<string, string>>;
}

/** Reads nodes over a session. */
export function createNodeReader(session: Session): NodeReader {
  return {
    async node(workspace, id) {
      const row = await one.get(session, workspace, id);
      return row === undefined ? undefined : toView(workspace, row);
    },
    nodes: (workspace, ids) => readNodes(session, workspace, ids),
    firstNodes: (workspace, ids) => readFirstNodes(session, workspace, ids),
    version: async (workspace, id) => (await version.get(session, workspace, id))?.[0],
    async children(workspace, parentId, { after = "", limit }) {
      const rows = await children.all(
        session,
        workspace,
        parentId,
        after,
        limit,
        LIMITS.pageLength,
      );
      return rows.map((row) => toView(workspace, row));
    },
    titles: async (workspace, ids) => new Map(await titles.all(session, workspace, ids)),
    gap: (workspace, parentId, place) => readGap(session, workspace, parentId ?? TOP, place),
  };
}

/** Those of these nodes that exist, in no order. */
export async function readNodes(
  session: Session,
  workspace: string,
  ids: readonly string[],
): Promise<NodeView[]> {
  const rows = await several.all(session, workspace, ids);
  return rows.map((row) => toView(workspace, row));
}

/** The first of these nodes, in their order: those of a page, and the next. */
export async function readFirstNodes(
  session: Session,
  workspace: string,
  ids: readonly string[],
): Promise<NodeView[]> {
  const rows = await first.all(session, workspace, ids, LIMITS.pageLength);
  return rows.map((row) => toView(workspace, row));
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
    hasMentions: row[9],
    version: row[10],
    createdTime: row[11],
    createdBy: row[12],
    editedTime: row[13],
    editedBy: row[14],
    trashRoot: row[15],
    hasChildren: row[16],
  };
  assertIntact(workspace, view, row[17]);
  return view;
}
