/**
 * Reading all that is in a page.
 *
 * @module
 */
import type { Content, ContentNode, Node, NodeDoc } from "../../content/schema/node.ts";
import { assertIntact } from "../checksum.ts";
import type { Flag } from "./node_row.ts";
import type { ReadPlan, Source } from "./query.ts";

const COLUMNS = "n.id, n.kind, n.type, n.parent_id, n.position, n.title, n.has_mentions, n.version";
const DOC = "n.id, n.type, n.title, n.doc, n.version, n.checksum";

/** COLUMNS, one for one. */
type Row = readonly [
  id: string,
  kind: Node["kind"],
  type: string,
  parentId: string,
  position: string,
  title: string,
  hasMentions: Flag,
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

export interface ContentReads {
  content(workspace: string, id: string): ReadPlan<Content | undefined>;
  mentioning(workspace: string, id: string): ReadPlan<NodeDoc[]>;
  docs(workspace: string, ids: readonly string[]): ReadPlan<NodeDoc[]>;
}

/** Declares the statements that read the content of a page or database. */
export function createContentReads({ dialect, query }: Source): ContentReads {
  const inContainer = `
    FROM nodes p JOIN nodes n ON n.workspace_id = p.workspace_id AND n.container_id = p.id
      AND ${dialect.sameState("n.trash_root", "p.trash_root")}
    WHERE p.workspace_id = $1 AND p.id = $2 AND p.kind <> 'block'
  `;
  // One statement, so that the version is that of the content.
  const content = query<Row>(
    `SELECT ${COLUMNS} FROM nodes n WHERE n.workspace_id = $1 AND n.id = $2 AND n.kind <> 'block'
    UNION ALL
    SELECT ${COLUMNS} ${inContainer}`,
  );
  const mentioning = query<DocRow>(`SELECT ${DOC} ${inContainer} AND n.has_mentions = true`);
  const docs = query<DocRow>(
    `SELECT ${DOC} ${dialect.listed("nodes n", "n.id", "$2")} AND n.workspace_id = $1`,
  );
  return {
    *content(workspace, id) {
      const found = yield* content.all([workspace, id], toContentNode);
      // No database promises the order of a UNION.
      const container = found.find((node) => node.id === id);
      return container &&
        { version: container.version, nodes: found.filter((node) => node !== container) };
    },
    mentioning: (workspace, id) => mentioning.all([workspace, id], (row) => toDoc(workspace, row)),
    docs: (workspace, ids) => docs.all([workspace, ids], (row) => toDoc(workspace, row)),
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
    hasMentions: Boolean(row[6]),
    version: row[7],
  };
}

function toDoc(workspace: string, [id, type, title, doc, version, checksum]: DocRow): NodeDoc {
  assertIntact(workspace, { id, title, doc }, checksum);
  return { id, type, doc, version };
}
