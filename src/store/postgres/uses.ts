/**
 * Which documents refer to which uploads, kept with every document that is written.
 *
 * @module
 */
import { uploadsIn } from "../../content/hosted_files.ts";
import type { NodeContent } from "../../content/node.ts";
import { expect } from "./changes/expectation.ts";
import { type Session, statement } from "./query.ts";

/** A document that is written. */
export interface Written extends Pick<NodeContent, "doc" | "hasMentions"> {
  readonly id: string;
}

interface Use {
  readonly nodeId: string;
  readonly uploadId: string;
}

const FRESH = `json_to_recordset($2::json) AS fresh ("nodeId" text, "uploadId" text)`;

/** Uses that these documents had and have no more. */
const STALE = `
  s.node_id = ANY ($3::text[]) AND NOT EXISTS (
    SELECT FROM ${FRESH} WHERE fresh."nodeId" = s.node_id AND fresh."uploadId" = s.upload_id
  )
`;

const hold = statement(`
  UPDATE uploads SET expires_time = NULL
  WHERE workspace_id = $1 AND id = ANY ($2::text[]) AND status = 'uploaded'
`);
const add = statement(`
  INSERT INTO upload_uses (workspace_id, node_id, upload_id)
  SELECT $1, fresh."nodeId", fresh."uploadId" FROM ${FRESH}
  ON CONFLICT DO NOTHING
`);
const release = statement(`
  UPDATE uploads u SET expires_time = $4 + u.life
  WHERE u.workspace_id = $1
    AND u.id IN (SELECT s.upload_id FROM upload_uses s WHERE s.workspace_id = $1 AND ${STALE})
    AND NOT EXISTS (
      SELECT FROM upload_uses s
      WHERE s.workspace_id = $1 AND s.upload_id = u.id AND NOT (${STALE})
    )
`);
const drop = statement(`DELETE FROM upload_uses s WHERE s.workspace_id = $1 AND ${STALE}`);

/** Of new documents; rejects with `Unexpected` where one refers to what is no upload that arrived. */
export async function insertUses(
  session: Session,
  workspace: string,
  written: readonly Written[],
): Promise<void> {
  await insert(session, workspace, usesOf(written));
}

/** Of documents that take the place of others; what nothing refers to any more lives on from `time`. */
export async function replaceUses(
  session: Session,
  workspace: string,
  { written, time }: { readonly written: readonly Written[]; readonly time: number },
): Promise<void> {
  if (written.length === 0) return;
  const uses = usesOf(written);
  const ids = written.map(({ id }) => id);
  await Promise.all([
    insert(session, workspace, uses),
    release(session, workspace, uses, ids, time),
    drop(session, workspace, uses, ids),
  ]);
}

async function insert(session: Session, workspace: string, uses: readonly Use[]): Promise<void> {
  if (uses.length === 0) return;
  const ids = [...new Set(uses.map(({ uploadId }) => uploadId))];
  const [held] = await Promise.all([hold(session, workspace, ids), add(session, workspace, uses)]);
  expect(held === ids.length);
}

function usesOf(written: readonly Written[]): Use[] {
  return written.filter(({ hasMentions }) => hasMentions).flatMap(({ id, doc }) =>
    uploadsIn(doc).map((uploadId) => ({ nodeId: id, uploadId }))
  );
}
