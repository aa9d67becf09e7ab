/**
 * Rewriting the rows of a database when its schema changes.
 *
 * @module
 */
import { rewriteOf } from "../../../content/databases/row_changes.ts";
import type { NodeContent, NodeView } from "../../../content/schema/node.ts";
import { checksumOf } from "../../checksum.ts";
import { batchesOf, type SizedNode } from "../../batches.ts";
import { replaceCells } from "../cells.ts";
import { query, type Session, statement } from "../query.ts";
import { read, READS } from "../reader.ts";
import { replaceUses } from "../uses.ts";
import type { Applier, StepOf } from "./appliers.ts";
import { createSessionRest } from "../session_rest.ts";

/** Rows of a batch. */
const BATCH = 200;

type RowRef = readonly [id: string, length: number, createdTime: number];

const some = query<RowRef>(`
  SELECT n.id, octet_length(n.doc), n.created_time FROM nodes n
  WHERE n.workspace_id = $1 AND n.parent_id = $2 AND n.parent_kind = 'database'
    AND (n.created_time, n.id) > ($3, $4) AND n.kind = 'page'
  ORDER BY n.created_time, n.id LIMIT $5
`);
const having = query<[id: string, length: number]>(`
  SELECT n.id, octet_length(n.doc) FROM nodes n
  WHERE n.workspace_id = $1 AND n.id IN (
    SELECT c.node_id FROM cells c
    WHERE c.workspace_id = $1 AND c.database_id = $2 AND c.property_id = $3
      AND c.number IS NULL AND c.key = $4
  )
  ORDER BY n.created_time, n.id
`);
const write = statement(`
  UPDATE nodes n SET
    title = fresh.title, doc = fresh.doc, checksum = fresh.checksum,
    has_mentions = fresh."hasMentions",
    version = n.version + 1
  FROM json_to_recordset($2::json) AS fresh (
    id text, title text, doc text, checksum integer, "hasMentions" boolean
  )
  WHERE n.workspace_id = $1 AND n.id = fresh.id
`);

/** Rewrites rows by batches. */
export const reshape: Applier<"reshape"> = async (session, workspace, change) => {
  const rewrite = rewriteOf(change);
  const rest = createSessionRest(session);
  let index = 0;
  for await (const ids of batches(session, workspace, change)) {
    const contents: Written[] = [];
    const nodes = await read(session, READS.nodes(workspace, ids));
    for (const { hasChildren: _, ...row } of inOrder(ids, nodes)) {
      const { content, hasNewTexts } = rewrite(row, index++);
      if (hasNewTexts) change.onNewTexts?.({ id: row.id, length: (content ?? row).doc.length });
      if (content !== undefined) contents.push({ id: row.id, ...content });
      await rest();
    }
    await save(session, workspace, contents, change.time);
  }
};

function inOrder(ids: readonly string[], nodes: readonly NodeView[]): NodeView[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

interface Written extends NodeContent {
  readonly id: string;
}

async function save(
  session: Session,
  workspace: string,
  contents: readonly Written[],
  time: number,
): Promise<void> {
  const rows = contents.flatMap(({ id, cells }) => cells === undefined ? [] : [{ id, cells }]);
  const nodes = contents.map(({ cells: _, ...node }) => ({ ...node, checksum: checksumOf(node) }));
  await Promise.all([
    write(session, workspace, nodes),
    replaceCells(session, workspace, rows),
    replaceUses(session, workspace, nodes, time),
  ]);
}

/** Lists rows by batches, oldest first. */
async function* batches(
  session: Session,
  workspace: string,
  { databaseId, having: cell }: StepOf<"reshape">,
): AsyncGenerator<string[]> {
  if (cell !== undefined) {
    const rows = await having.all(session, workspace, databaseId, cell.propertyId, cell.key);
    yield* idsOfBatches(rows);
    return;
  }
  let last: RowRef | undefined = ["", 0, Number.MIN_SAFE_INTEGER];
  while (last !== undefined) {
    const refs: RowRef[] = await some.all(
      session,
      ...[workspace, databaseId, last[2], last[0], BATCH],
    );
    yield* idsOfBatches(refs);
    last = refs.at(-1);
  }
}

function* idsOfBatches(
  rows: readonly (readonly [id: string, length: number, ...unknown[]])[],
): Generator<string[]> {
  const sized = rows.map(([id, length]): SizedNode => ({ id, length }));
  for (const batch of batchesOf(sized, BATCH)) yield batch.map(({ id }) => id);
}
