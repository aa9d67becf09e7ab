/**
 * Rewriting the rows of a database when its schema changes.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { rewriteOf } from "../../../content/databases/row_changes.ts";
import type { Node, NodeContent, NodeView } from "../../../content/schema/node.ts";
import { checksumOf } from "../../checksum.ts";
import type { ReadNodes } from "../reader.ts";
import { createRowLister } from "../row_lister.ts";
import type { Applier } from "./appliers.ts";
import type { BesideNodes } from "./nodes.ts";

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
    if (own === undefined || row.parentId === null) return;
    const { id, parentId: databaseId, createdTime } = row;
    cells.replace(workspace, { id, databaseId, createdTime }, own);
  };
  return (workspace, change) => {
    const rewrite = rewriteOf(change);
    let index = 0;
    for (const ids of rows(workspace, change)) {
      for (const { hasChildren: _, ...row } of inOrder(ids, readNodes(workspace, ids))) {
        const rewritten = rewrite(row, index++);
        if (rewritten === undefined) continue;
        save(workspace, row, { ...rewritten.content, time: change.time });
        if (rewritten.hasNewTexts) search.changed(row.id);
      }
    }
  };
}

function inOrder(ids: readonly string[], nodes: readonly NodeView[]): NodeView[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
