/**
 * Rewriting the rows of a database when its schema changes.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { rewriteOf } from "../../../content/databases/row_changes.ts";
import type { Node, NodeContent, NodeView } from "../../../content/schema/node.ts";
import { checksumOf } from "../../checksum.ts";
import { type Query, query } from "../query.ts";
import type { ReadNodes } from "../reader.ts";
import type { Applier, ChangeOf } from "./appliers.ts";
import type { BesideNodes } from "./nodes.ts";

/** Rows in memory at once. */
const BATCH = 200;

type RowRef = readonly [id: string, createdTime: number];

export interface ReshapeParts extends BesideNodes {
  readonly readNodes: ReadNodes;
}

/** Prepares the statements that rewrite rows. */
export function createReshape(
  db: DatabaseSync,
  { readNodes, cells, search, uses }: ReshapeParts,
): Applier<"reshape"> {
  const rows = createRowLister(db);
  const write = db.prepare(`
    UPDATE nodes SET
      title = ?3, doc = ?4, checksum = ?6, has_mentions = ?5, version = version + 1
    WHERE workspace_id = ?1 AND id = ?2
  `);
  const save = (
    workspace: string,
    row: Node,
    { title, doc, hasMentions, cells: own, time }: NodeContent & { readonly time: number },
  ): void => {
    const checksum = checksumOf({ id: row.id, title, doc });
    write.run(workspace, row.id, title, doc, hasMentions ? 1 : 0, checksum);
    // A document without mentions, before and after, refers to no upload.
    if (row.hasMentions || hasMentions) {
      uses.replace(workspace, { id: row.id, doc, hasMentions, time });
    }
    search.changed(row.id);
    if (own === undefined || row.parentId === null) return;
    const { id, parentId: databaseId, createdTime } = row;
    cells.replace(workspace, { id, databaseId, createdTime }, own);
  };
  return (workspace, change) => {
    const rewrite = rewriteOf(change);
    let index = 0;
    for (const ids of rows(workspace, change)) {
      for (const { hasChildren: _, ...row } of inOrder(ids, readNodes(workspace, ids))) {
        const content = rewrite(row, index++);
        if (content !== undefined) save(workspace, row, { ...content, time: change.time });
      }
    }
  };
}

function inOrder(ids: readonly string[], nodes: readonly NodeView[]): NodeView[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

type Lister = (workspace: string, change: ChangeOf<"reshape">) => Iterable<string[]>;

/** Prepares the statements that list rows by batches, oldest first. */
function createRowLister(db: DatabaseSync): Lister {
  const some: Query<RowRef> = query(
    db,
    `SELECT n.id, n.created_time FROM nodes n INDEXED BY rows_by_created_time
    WHERE n.workspace_id = ?1 AND n.parent_id = ?2 AND n.parent_kind = 'database'
      AND (n.created_time, n.id) > (?3, ?4) AND n.kind = 'page'
    ORDER BY n.created_time, n.id LIMIT ?5`,
  );
  const having: Query<[string]> = query(
    db,
    `SELECT DISTINCT c.node_id FROM cells c INDEXED BY cells_by_value
    CROSS JOIN nodes n ON n.workspace_id = c.workspace_id AND n.id = c.node_id
    WHERE c.workspace_id = ? AND c.database_id = ? AND c.property_id = ?
      AND c.number IS NULL AND c.key = ?
    ORDER BY n.created_time, n.id`,
  );
  return function* (workspace, { databaseId, having: cell }) {
    if (cell !== undefined) {
      const ids = having.all(workspace, databaseId, cell.propertyId, cell.key).map(([id]) => id);
      for (let at = 0; at < ids.length; at += BATCH) yield ids.slice(at, at + BATCH);
      return;
    }
    let last: RowRef | undefined = ["", Number.MIN_SAFE_INTEGER];
    while (last !== undefined) {
      const refs: RowRef[] = some.all(workspace, databaseId, last[1], last[0], BATCH);
      if (refs.length > 0) yield refs.map(([id]) => id);
      last = refs.at(-1);
    }
  };
}
