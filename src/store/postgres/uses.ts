/**
 * Writing which documents refer to which uploads.
 *
 * @module
 */
import { uploadsIn } from "../../content/values/hosted_files.ts";
import type { NodeContent } from "../../content/schema/node.ts";
import { expect } from "./changes/expectation.ts";
import { type Session, statement } from "./query.ts";

/** A document that is written. */
export interface FileUse extends Pick<NodeContent, "doc" | "hasMentions"> {
  readonly id: string;
}

/** A reference from a document to an upload. */
interface Use {
  readonly nodeId: string;
  readonly uploadId: string;
}

const USES = `json_to_recordset($2::json) AS used ("nodeId" text, "uploadId" text)`;

const hold = statement(`
  UPDATE uploads SET expires_time = NULL
  WHERE workspace_id = $1 AND id = ANY ($2::text[]) AND status = 'uploaded'
`);
const add = statement(`
  INSERT INTO upload_uses (workspace_id, node_id, upload_id)
  SELECT $1, used."nodeId", used."uploadId" FROM ${USES} ON CONFLICT DO NOTHING
`);
// The life of an upload without references starts now. `NOT IN`, because it hashes what the documents
// use; hash joins are disabled.
const release = statement(`
  WITH gone AS (
    DELETE FROM upload_uses WHERE workspace_id = $1 AND node_id = ANY ($3::text[])
      AND (node_id, upload_id) NOT IN (SELECT used."nodeId", used."uploadId" FROM ${USES})
    RETURNING node_id, upload_id
  )
  UPDATE uploads u SET expires_time = $4 + u.life
  WHERE u.workspace_id = $1 AND u.id IN (SELECT upload_id FROM gone) AND NOT EXISTS (
    SELECT FROM upload_uses s WHERE s.workspace_id = $1 AND s.upload_id = u.id
      AND (s.node_id, s.upload_id) NOT IN (SELECT node_id, upload_id FROM gone)
  )
`);

/**
 * Inserts the uses of files by new documents; rejects with `Unexpected` if an upload has not
 * arrived.
 */
export async function insertUses(
  session: Session,
  workspace: string,
  written: readonly FileUse[],
): Promise<void> {
  await keep(session, workspace, usesIn(written));
}

/** Replaces the references of changed documents. */
export async function replaceUses(
  session: Session,
  workspace: string,
  written: readonly FileUse[],
  time: number,
): Promise<void> {
  if (written.length === 0) return;
  const uses = usesIn(written);
  await Promise.all([
    release(session, workspace, uses, written.map(({ id }) => id), time),
    keep(session, workspace, uses),
  ]);
}

async function keep(session: Session, workspace: string, uses: readonly Use[]): Promise<void> {
  if (uses.length === 0) return;
  const uploads = [...new Set(uses.map(({ uploadId }) => uploadId))];
  const [count] = await Promise.all([
    hold(session, workspace, uploads),
    add(session, workspace, uses),
  ]);
  expect(count === uploads.length);
}

function usesIn(written: readonly FileUse[]): Use[] {
  return written.filter(({ hasMentions }) => hasMentions)
    .flatMap(({ id, doc }) => uploadsIn(doc).map((uploadId) => ({ nodeId: id, uploadId })));
}
