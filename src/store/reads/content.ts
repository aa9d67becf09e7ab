/**
 * Reading all that is in a page.
 *
 * @module
 */
import type {
  Content,
  ContentNode,
  Node,
  NodeDoc,
  SmallContent,
} from "../../content/schema/node.ts";
import { assertIntact } from "../checksum.ts";
import type { Flag } from "./node_row.ts";
import type { ReadPlan, Source } from "./query.ts";

/** The columns of a node within a page, without its document. */
export const CONTENT_COLUMNS =
  "n.id, n.kind, n.type, n.parent_id, n.position, n.title, n.has_mentions, n.version, " +
  "octet_length(n.doc)";
const DOC = "n.id, n.type, n.title, n.doc, n.version, n.checksum";

/** CONTENT_COLUMNS, one for one. */
export type ContentRow = readonly [
  id: string,
  kind: Node["kind"],
  type: string,
  parentId: string,
  position: string,
  title: string,
  hasMentions: Flag,
  version: number,
  length: number,
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

/** The most nodes of small content, and bytes of the document of each. */
const SMALL = { nodes: 100, doc: 4_096 };
/** The most nodes that `mentioning()` returns. */
const FEW_MENTIONING = 500;
// Pages and databases are shown by their titles.
const SMALL_COLUMNS = `${CONTENT_COLUMNS}, n.checksum, CASE
  WHEN n.kind <> 'block' AND n.has_mentions = false THEN ''
  WHEN octet_length(n.doc) <= ${SMALL.doc} THEN n.doc
END`;

/** SMALL_COLUMNS, one for one. */
type SmallRow = readonly [...ContentRow, checksum: number | null, doc: string | null];

export interface ContentReads {
  content(workspace: string, id: string): ReadPlan<Content | undefined>;
  smallContent(workspace: string, id: string): ReadPlan<SmallContent | undefined>;
  mentioning(workspace: string, id: string): ReadPlan<string[] | undefined>;
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
  const selectAll = (columns: string) =>
    `SELECT ${columns} FROM nodes n WHERE n.workspace_id = $1 AND n.id = $2 AND n.kind <> 'block'
    UNION ALL
    SELECT ${columns} ${inContainer}`;
  const content = query<ContentRow>(selectAll(CONTENT_COLUMNS));
  // One row for the container, and one that tells that there are more.
  const small = query<SmallRow>(`${selectAll(SMALL_COLUMNS)} LIMIT ${SMALL.nodes + 2}`);
  const mentioning = query<[id: string]>(
    `SELECT n.id ${inContainer} AND n.has_mentions = true LIMIT ${FEW_MENTIONING + 1}`,
  );
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
    *smallContent(workspace, id) {
      const found = yield* small.all([workspace, id], (row) => row);
      return toSmallContent(workspace, id, found);
    },
    *mentioning(workspace, id) {
      const ids = yield* mentioning.all([workspace, id], ([id]) => id);
      return ids.length > FEW_MENTIONING ? undefined : ids;
    },
    docs: (workspace, ids) => docs.all([workspace, ids], (row) => toDoc(workspace, row)),
  };
}

/** Returns undefined if there is no container, or more than small content has. */
function toSmallContent(
  workspace: string,
  id: string,
  found: readonly SmallRow[],
): SmallContent | undefined {
  const container = found.find((row) => row[0] === id);
  if (container === undefined || found.length > SMALL.nodes + 1) return undefined;
  const rows = found.filter((row) => row !== container);
  const docs: NodeDoc[] = [];
  for (const [id, , type, , , title, , version, , checksum, doc] of rows) {
    if (doc === null) return undefined;
    if (doc !== "") docs.push(toDoc(workspace, [id, type, title, doc, version, checksum]));
  }
  const [, kind, , , , , , version] = container;
  return { kind, version, nodes: rows.map(toContentNode), docs };
}

/** The node of a row, which may have further columns. */
export function toContentNode(row: readonly [...ContentRow, ...unknown[]]): ContentNode {
  return {
    id: row[0],
    kind: row[1],
    type: row[2],
    parentId: row[3],
    position: row[4],
    title: row[5],
    hasMentions: Boolean(row[6]),
    version: row[7],
    length: row[8],
  };
}

function toDoc(workspace: string, [id, type, title, doc, version, checksum]: DocRow): NodeDoc {
  assertIntact(workspace, { id, title, doc }, checksum);
  return { id, type, doc, version };
}
