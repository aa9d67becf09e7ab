/**
 * Reading all that is in a page.
 *
 * @module
 */
import type { Content, ContentNode, Node, NodeDoc } from "../../content/schema/node.ts";
import { assertIntact } from "../checksum.ts";
import { query, type Session } from "./query.ts";

const COLUMNS = "n.id, n.kind, n.type, n.parent_id, n.position, n.title, n.has_mentions, n.version";
const DOC = "n.id, n.type, n.title, n.doc, n.version, n.checksum";

const IN_CONTAINER = `
  FROM nodes p JOIN nodes n
    ON n.workspace_id = p.workspace_id AND n.container_id = p.id AND n.trash_root = p.trash_root
  WHERE p.workspace_id = $1 AND p.id = $2 AND p.kind <> 'block'
`;

/** COLUMNS, one for one. */
type Row = readonly [
  id: string,
  kind: Node["kind"],
  type: string,
  parentId: string,
  position: string,
  title: string,
  hasMentions: boolean,
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

// One statement, so that the version is that of the content.
const content = query<Row>(
  `SELECT ${COLUMNS} FROM nodes n
  WHERE n.workspace_id = $1 AND n.id = $2 AND n.kind <> 'block'
  UNION ALL
  SELECT ${COLUMNS} ${IN_CONTAINER}`,
);
const mentioning = query<DocRow>(`SELECT ${DOC} ${IN_CONTAINER} AND n.has_mentions`);
const docs = query<DocRow>(
  `SELECT ${DOC} FROM nodes n WHERE n.workspace_id = $1 AND n.id = ANY ($2::text[])`,
);

export interface ContentReader {
  content(workspace: string, id: string): Promise<Content | undefined>;
  mentioning(workspace: string, id: string): Promise<NodeDoc[]>;
  docs(workspace: string, ids: readonly string[]): Promise<NodeDoc[]>;
}

/** Reads the content of pages and databases over a session. */
export function createContentReader(session: Session): ContentReader {
  return {
    async content(workspace, id) {
      const found = (await content.all(session, workspace, id)).map(toContentNode);
      // The order of a UNION is not promised.
      const container = found.find((node) => node.id === id);
      return container &&
        { version: container.version, nodes: found.filter((node) => node !== container) };
    },
    mentioning: async (workspace, id) => {
      const rows = await mentioning.all(session, workspace, id);
      return rows.map((row) => toDoc(workspace, row));
    },
    docs: async (workspace, ids) => {
      const rows = await docs.all(session, workspace, ids);
      return rows.map((row) => toDoc(workspace, row));
    },
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
    hasMentions: row[6],
    version: row[7],
  };
}

function toDoc(workspace: string, [id, type, title, doc, version, checksum]: DocRow): NodeDoc {
  assertIntact(workspace, { id, title, doc }, checksum);
  return { id, type, doc, version };
}
