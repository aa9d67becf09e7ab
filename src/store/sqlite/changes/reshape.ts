/**
 * Rewriting the rows of a database when its schema changes.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { rewriteOf } from "../../../content/databases/row_changes.ts";
import type { Node, NodeContent, NodeView } from "../../../content/schema/node.ts";
import { portionsByLength } from "../../../shared/portions.ts";
import { checksumOf, isDamaged } from "../../checksum.ts";
import type { CellsOfRow } from "../cells.ts";
import type { ReadNodes } from "../reader.ts";
import { createRowLister } from "../row_lister.ts";
import type { StepApplier } from "./appliers.ts";
import type { BesideNodes } from "./nodes.ts";

/** UTF-16 code units of the documents of rows whose cells are in memory at once. */
const PORTION = 250_000;

export interface ReshapeParts extends BesideNodes {
  readonly readNodes: ReadNodes;
}

/** Prepares the statements that rewrite rows. */
export function createReshape(
  db: DatabaseSync,
  { readNodes, cells, search, uses }: ReshapeParts,
): StepApplier<"reshape"> {
  const rows = createRowLister(db);
  const write = db.prepare(`
    UPDATE nodes SET
      title = ?3, doc = ?4, checksum = ?6, has_mentions = ?5, version = version + 1
    WHERE workspace_id = ?1 AND id = ?2
  `);
  const save = (
    workspace: string,
    row: Node,
    { title, doc, hasMentions, time }: NodeContent & { readonly time: number },
  ): void => {
    const checksum = checksumOf({ id: row.id, title, doc });
    write.run(workspace, row.id, title, doc, hasMentions ? 1 : 0, checksum);
    // A document without mentions, before and after, refers to no upload.
    if (row.hasMentions || hasMentions) {
      uses.replace(workspace, { id: row.id, doc, hasMentions, time });
    }
  };
  // A row that is damaged stays as it is: it is never shown, and must not stop the change of others.
  const readIntact: ReadNodes = (workspace, ids) => {
    try {
      return readNodes(workspace, ids);
    } catch (error) {
      if (!isDamaged(error)) throw error;
      return ids.length === 1 ? [] : ids.flatMap((id) => readIntact(workspace, [id]));
    }
  };
  return function* (workspace, change, from) {
    const { databaseId, having, time } = change;
    const rewrite = rewriteOf(change);
    let index = from?.rows ?? 0;
    if (from === undefined) yield {};
    // Rows that have been rewritten are not among those that have the cell any more.
    for (const batch of rows(workspace, { databaseId, having, after: from?.after })) {
      const ids = batch.rows.map(({ id }) => id);
      const nodes = inOrder(ids, readIntact(workspace, ids));
      for (const some of portionsByLength(nodes, ({ doc }) => doc.length, PORTION)) {
        const replaced: CellsOfRow[] = [];
        for (const { hasChildren: _, ...row } of some) {
          const { content, hasNewTexts } = rewrite(row, index++);
          if (hasNewTexts) search.changed({ id: row.id, length: (content ?? row).doc.length });
          if (content === undefined) continue;
          save(workspace, row, { ...content, time });
          replaced.push({ row: { ...row, databaseId }, cells: content.cells });
        }
        cells.replace(workspace, replaced);
        const end = some.at(-1);
        const isAll = batch.last !== undefined && end !== undefined;
        yield isAll ? { after: [end.id, end.createdTime], rows: index } : {};
      }
    }
  };
}

function inOrder(ids: readonly string[], nodes: readonly NodeView[]): NodeView[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
