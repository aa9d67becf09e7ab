/**
 * Reading all that is in a page.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Content, ContentNode, Node, NodeDoc } from "../../content/schema/node.ts";
import { assertIntact } from "../checksum.ts";
import { type Query, query } from "./query.ts";

const COLUMNS = "n.id, n.kind, n.type, n.parent_id, n.position, n.title, n.has_mentions, n.version";
const DOC = "n.id, n.type, n.title, n.doc, n.version, n.checksum";

const IN_CONTAINER = `
  FROM nodes p JOIN nodes n
    ON n.workspace_id = p.workspace_id AND n.container_id = p.id AND n.trash_root IS p.trash_root
  WHERE p.workspace_id = ?1 AND p.id = ?2 AND p.kind <> 'block'
`;

/** COLUMNS, one for one. */
type Row = readonly [
  id: string,
  kind: Node["kind"],
  type: string,
  parentId: string,
  position: string,
  title: string,
  hasMentions: number,
  version: number,
];

/** DOC, one for one. */
type DocRow = readonly [
  id: string,
  type: string,
  title: string,
  doc: string,
  version: number,
  checksum: number | null,
];

export interface ContentReader {
  content(workspace: string, id: string): Content | undefined;
  mentioning(workspace: string, id: string): NodeDoc[];
  docs(workspace: string, ids: readonly string[]): NodeDoc[];
}

/** Prepares the statements that read the content of a page or database. */
export function createContentReader(db: DatabaseSync): ContentReader {
  // One statement, so that the version is that of the content: the container itself comes first.
  const content: Query<Row> = query(
    db,
    `SELECT ${COLUMNS} FROM nodes n
    WHERE n.workspace_id = ?1 AND n.id = ?2 AND n.kind <> 'block'
    UNION ALL
    SELECT ${COLUMNS} ${IN_CONTAINER}`,
  );
  const mentioning: Query<DocRow> = query(
    db,
    `SELECT ${DOC} ${IN_CONTAINER} AND n.has_mentions = 1`,
  );
  const docs: Query<DocRow> = query(
    db,
    `SELECT ${DOC} FROM json_each(?2) wanted
    CROSS JOIN nodes n ON n.workspace_id = ?1 AND n.id = wanted.value`,
  );
  return {
    content(workspace, id) {
      const [container, ...nodes] = content.all(workspace, id).map(toContentNode);
      return container?.id === id ? { version: container.version, nodes } : undefined;
    },
    mentioning: (workspace, id) =>
      mentioning.all(workspace, id).map((row) => toDoc(workspace, row)),
    docs: (workspace, ids) =>
      docs.all(workspace, JSON.stringify(ids)).map((row) => toDoc(workspace, row)),
  };
}

function toContentNode(row: Row): ContentNode {
  return {
    id: row[0],
    kind: row[1],
    type: row[2],
    parentId: row[3],
    position: row[4],
    title: row[5],
    hasMentions: row[6] === 1,
    version: row[7],
  };
}

function toDoc(workspace: string, [id, type, title, doc, version, checksum]: DocRow): NodeDoc {
  assertIntact(workspace, { id, title, doc }, checksum);
  return { id, type, doc, version };
}
