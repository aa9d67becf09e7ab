/**
 * Reading all that is in a page at once.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Content, ContentNode, Node } from "../../content/node.ts";
import { type Query, query } from "./query.ts";

const COLUMNS = "n.id, n.kind, n.type, n.parent_id, n.position, n.title, n.doc, n.has_mentions";

const IN_CONTAINER = `
  FROM nodes p JOIN nodes n
    ON n.workspace_id = p.workspace_id AND n.container_id = p.id AND n.trash_root IS p.trash_root
  WHERE p.workspace_id = ?1 AND p.id = ?2
`;

/** COLUMNS, one for one. */
type Row = readonly [
  id: string,
  kind: Node["kind"],
  type: string,
  parentId: string,
  position: string,
  title: string,
  doc: string,
  hasMentions: number,
];

export interface ContentReader {
  content(workspace: string, id: string): Content | undefined;
  mentioning(workspace: string, id: string): ContentNode[];
}

/** Prepares the statements that read the content of a page or database. */
export function createContentReader(db: DatabaseSync): ContentReader {
  // One statement, so that the version is that of the content: the container itself comes first.
  const content: Query<readonly [...Row, version: number]> = query(
    db,
    `SELECT ${COLUMNS}, n.version FROM nodes n
    WHERE n.workspace_id = ?1 AND n.id = ?2 AND n.kind <> 'block'
    UNION ALL
    SELECT ${COLUMNS}, n.version ${IN_CONTAINER}`,
  );
  const mentioning: Query<Row> = query(
    db,
    `SELECT ${COLUMNS} ${IN_CONTAINER} AND n.has_mentions = 1`,
  );
  return {
    content(workspace, id) {
      const rows = content.all(workspace, id);
      const container = rows.shift();
      return container && { version: container[8], nodes: rows.map(toContentNode) };
    },
    mentioning: (workspace, id) => mentioning.all(workspace, id).map(toContentNode),
  };
}

function toContentNode(row: readonly [...Row, ...unknown[]]): ContentNode {
  return {
    id: row[0],
    kind: row[1],
    type: row[2],
    parentId: row[3],
    position: row[4],
    title: row[5],
    doc: row[6],
    hasMentions: row[7] === 1,
  };
}
