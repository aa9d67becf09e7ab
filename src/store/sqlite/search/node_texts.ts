/**
 * Reading the texts of nodes that the word index contains.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { parseDatabaseDoc } from "../../../content/schema/database.ts";
import type { Schema } from "../../../content/schema/property.ts";
import type { Node } from "../../../content/schema/node.ts";
import { nodeTexts } from "../../../content/pages/node_texts.ts";
import { isIntact } from "../../checksum.ts";
import { TOP } from "../../reads/nodes.ts";
import { type Query, query } from "../query.ts";

/** A node that a commit changed. */
export interface NotedNode {
  readonly id: string;
  /** True if the commit created it. */
  readonly isNew: boolean;
  /** Its current state, if it is known and outside the trash: then nothing is read. */
  readonly node?: Node;
}

/** A node as it is now. */
interface CurrentNode
  extends Pick<Node, "id" | "kind" | "type" | "parentKind" | "containerId" | "title" | "doc"> {
  readonly parentId: string;
  /** True for a block that is in the trash without its page. */
  readonly isCutOff: boolean;
  /** Null if it has none. */
  readonly checksum: number | null;
}

/** A node with its current texts; a block that was trashed without its page has none. */
export interface TextNode
  extends Pick<CurrentNode, "id" | "kind" | "parentId" | "containerId" | "title"> {
  readonly isNew: boolean;
  /** True if the index certainly has nothing of this page or database. */
  readonly isUnindexed: boolean;
  /** Beside the title. */
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
  isCutOff: number,
  checksum: number | null,
];

/** Prepares the statements that read the texts of nodes, in the order of the notes. */
export function createNodeTexts(
  db: DatabaseSync,
): (workspace: string, noted: readonly NotedNode[]) => TextNode[] {
  const read = createNodeReader(db);
  const schemaOf = createSchemaReader(db);
  return (workspace, noted) => {
    const schemas = new Map<string, Schema | undefined>();
    const unknown = noted.flatMap(({ id, node }) => node === undefined ? [id] : []);
    const found = read(workspace, unknown);
    return noted.flatMap(({ id, isNew, node }) => {
      const known = node === undefined ? found.get(id) : livingNode(node);
      if (known === undefined) return [];
      const { kind, parentKind, parentId, containerId, title } = known;
      const isRow = kind === "page" && parentKind === "database";
      const schema = isRow
        ? schemas.getOrInsertComputed(parentId, () => schemaOf(workspace, parentId))
        : undefined;
      const texts = known.isCutOff ? [] : textsOf(known, schema);
      const isUnindexed = node !== undefined && kind !== "block";
      return [{ id, isNew, isUnindexed, kind, parentId, containerId, title, texts }];
    });
  };
}

function livingNode(node: Node): CurrentNode {
  return { ...node, parentId: node.parentId ?? TOP, isCutOff: false, checksum: null };
}

/** A document that is damaged has no texts, so that it does not stop a change of many nodes. */
function textsOf(node: CurrentNode, schema: Schema | undefined): readonly string[] {
  try {
    return nodeTexts(node, schema);
  } catch (error) {
    if (isIntact(node, node.checksum)) throw error;
    return [];
  }
}

/** Prepares the statement that reads nodes as they are now. */
function createNodeReader(
  db: DatabaseSync,
): (workspace: string, ids: readonly string[]) => ReadonlyMap<string, CurrentNode> {
  const nodes: Query<Row> = query(
    db,
    `SELECT n.id, n.kind, n.type, n.parent_kind, n.parent_id, n.container_id, n.title, n.doc,
      n.kind = 'block' AND n.trash_root IS NOT NULL AND n.trash_root IS NOT (
        SELECT c.trash_root FROM nodes c
        WHERE c.workspace_id = n.workspace_id AND c.id = n.container_id
      ), n.checksum
    FROM json_each(?2) wanted
    CROSS JOIN nodes n ON n.workspace_id = ?1 AND n.id = wanted.value`,
  );
  return (workspace, ids) => {
    const rows = ids.length === 0 ? [] : nodes.all(workspace, JSON.stringify(ids));
    return new Map(
      rows.map((
        [id, kind, type, parentKind, parentId, containerId, title, doc, cutOff, checksum],
      ) => [
        id,
        {
          ...{ id, kind, type, parentKind, parentId, containerId, title, doc, checksum },
          isCutOff: cutOff === 1,
        },
      ]),
    );
  };
}

const MAX_SCHEMAS = 100;

/** Prepares the schema reader. It parses each version once, because rows come by thousands. */
function createSchemaReader(
  db: DatabaseSync,
): (workspace: string, databaseId: string) => Schema | undefined {
  // The version alone comes again with another schema if a transaction is undone.
  const version: Query<[version: number, checksum: number | null]> = query(
    db,
    "SELECT version, checksum FROM nodes WHERE workspace_id = ? AND id = ?",
  );
  const doc: Query<[string]> = query(db, "SELECT doc FROM nodes WHERE workspace_id = ? AND id = ?");
  const known = new Map<string, Schema>();
  return (workspace, databaseId) => {
    const current = version.get(workspace, databaseId);
    const key = JSON.stringify([workspace, databaseId, current]);
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const [text] = doc.get(workspace, databaseId) ?? [];
    const schema = text === undefined ? undefined : parseDatabaseDoc(text).properties;
    if (known.size >= MAX_SCHEMAS) known.clear();
    if (schema !== undefined) known.set(key, schema);
    return schema;
  };
}
