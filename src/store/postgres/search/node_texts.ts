/**
 * Reads the texts of nodes for the word index.
 *
 * @module
 */
import { parseDatabaseDoc } from "../../../content/schema/database.ts";
import type { Node } from "../../../content/schema/node.ts";
import { nodeTexts } from "../../../content/pages/node_texts.ts";
import { query, type Session } from "../query.ts";
import { createSessionRest } from "../session_rest.ts";

/** A node with its current texts; a block that was trashed without its page has none. */
export interface TextNode extends Pick<Node, "id" | "kind" | "containerId" | "title"> {
  readonly parentId: string;
  /** True if it is in the trash; for a block, whether it was trashed without its page. */
  readonly trashed: boolean;
  /** Texts other than the title. */
  readonly texts: readonly string[];
}

type Row = readonly [
  id: string,
  kind: Node["kind"],
  type: string,
  parentKind: Node["parentKind"],
  parentId: string,
  containerId: string | null,
  title: string,
  doc: string,
  trashed: boolean,
];

const nodes = query<Row>(`
  SELECT n.id, n.kind, n.type, n.parent_kind, n.parent_id, n.container_id, n.title, n.doc,
    n.trash_root <> '' AND (n.kind <> 'block' OR n.trash_root IS DISTINCT FROM (
      SELECT c.trash_root FROM nodes c
      WHERE c.workspace_id = n.workspace_id AND c.id = n.container_id
    ))
  FROM nodes n WHERE n.workspace_id = $1 AND n.id = ANY ($2::text[])
`);
/**
 * Selects the databases that contain these rows. The limits keep both steps look-ups by key: with
 * the statistics of a small table, the planner would compare all nodes with all rows of a large
 * commit.
 */
const databases = query<[id: string, doc: string]>(`
  SELECT d.id, d.doc FROM (
    SELECT DISTINCT n.parent_id AS id FROM unnest($2::text[]) wanted (id) CROSS JOIN LATERAL (
      SELECT * FROM nodes WHERE workspace_id = $1 AND nodes.id = wanted.id LIMIT 1
    ) n
    WHERE n.kind = 'page' AND n.parent_kind = 'database'
  ) parent CROSS JOIN LATERAL (
    SELECT * FROM nodes WHERE workspace_id = $1 AND nodes.id = parent.id LIMIT 1
  ) d
`);

/** Reads the texts of these nodes, in arbitrary order. Pauses, because documents may be long. */
export async function readTexts(
  session: Session,
  workspace: string,
  ids: readonly string[],
): Promise<TextNode[]> {
  const [rows, found] = await Promise.all([
    nodes.all(session, workspace, ids),
    databases.all(session, workspace, ids),
  ]);
  const schemas = new Map(found.map(([id, doc]) => [id, parseDatabaseDoc(doc).properties]));
  const rest = createSessionRest(session);
  const read: TextNode[] = [];
  for (const row of rows) {
    const [id, kind, type, parentKind, parentId, containerId, title, doc, trashed] = row;
    const schema = isRow(row) ? schemas.get(parentId) : undefined;
    const texts = kind === "block" && trashed
      ? []
      : nodeTexts({ kind, type, parentKind, doc }, schema);
    read.push({ id, kind, parentId, containerId, title, trashed, texts });
    await rest();
  }
  return read;
}

function isRow([, kind, , parentKind]: Row): boolean {
  return kind === "page" && parentKind === "database";
}
