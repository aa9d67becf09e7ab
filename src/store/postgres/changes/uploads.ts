/**
 * Writing uploads and the records of orphaned blobs.
 *
 * @module
 */
import { checksumOf } from "../../checksum.ts";
import { uploadDocument } from "../../reads/upload_row.ts";
import { createRecordSeals } from "../../record_checksums.ts";
import { statement } from "../query.ts";
import { read, SOURCE } from "../reader.ts";
import type { Applier } from "./appliers.ts";
import { expectOne } from "./expectation.ts";

const { sealUpload } = createRecordSeals(SOURCE);

const insert = statement(`
  INSERT INTO uploads (
    workspace_id, id, status, parts, filename, content_type, content_length, blob, hash,
    created_time, created_by, expires_time, life, source_url, failure, checksum
  ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
`);
const setBlob = statement(`
  WITH superseded AS (
    INSERT INTO leftovers (workspace_id, upload_id, blob)
    SELECT workspace_id, id, blob FROM uploads
    WHERE workspace_id = $1 AND id = $2 AND status = 'pending' AND blob <> $3
    ON CONFLICT DO NOTHING
  )
  UPDATE uploads SET blob = $3 WHERE workspace_id = $1 AND id = $2 AND status = 'pending'
`);
const complete = statement(`
  WITH same AS (
    SELECT blob FROM uploads WHERE workspace_id = $1 AND hash = $4 AND status = 'uploaded' LIMIT 1
  ), doubled AS (
    INSERT INTO leftovers (workspace_id, upload_id, blob)
    SELECT $1, $2, $3 FROM same WHERE blob <> $3 ON CONFLICT DO NOTHING
  )
  UPDATE uploads SET
    status = 'uploaded', blob = coalesce((SELECT blob FROM same), $3), hash = $4, filename = $5,
    content_type = $6, content_length = $7
  WHERE workspace_id = $1 AND id = $2 AND status = 'pending' AND blob = $3
`);
const fail = statement(`
  UPDATE uploads SET failure = $3 WHERE workspace_id = $1 AND id = $2 AND status = 'pending'
`);
// A statement still sees the rows that it deletes, so `NOT IN` excludes them.
const expire = statement(`
  WITH gone AS (
    DELETE FROM uploads WHERE workspace_id = $1 AND id IN (
      SELECT id FROM uploads WHERE workspace_id = $1 AND expires_time <= $2
      ORDER BY expires_time LIMIT $3
    ) RETURNING id, blob
  )
  INSERT INTO leftovers (workspace_id, upload_id, blob)
  SELECT $1, gone.id, CASE WHEN gone.blob IS NULL OR EXISTS (
    SELECT FROM uploads u WHERE u.workspace_id = $1 AND u.blob = gone.blob
      AND u.id NOT IN (SELECT id FROM gone)
  ) THEN '' ELSE gone.blob END
  FROM gone ON CONFLICT DO NOTHING
`);
const remove = statement(`
  DELETE FROM leftovers l USING json_to_recordset($2::json) AS done ("uploadId" text, blob text)
  WHERE l.workspace_id = $1 AND l.upload_id = done."uploadId" AND l.blob = done.blob
`);

/** Inserts an upload. */
export const createUpload: Applier<"createUpload"> = async (
  session,
  workspace,
  { upload: one },
) => {
  await insert(
    session,
    ...[workspace, one.id, one.status, one.parts, one.filename, one.contentType],
    ...[one.contentLength, one.blob, one.hash],
    ...[one.createdTime, one.createdBy, one.expiresTime, one.life, one.sourceUrl, one.failure],
    checksumOf(uploadDocument(one)),
  );
};

/** Records the blob that the bytes will be stored in. */
export const storeUpload: Applier<"storeUpload"> = async (
  session,
  workspace,
  { uploadId, blob },
) => {
  expectOne(await setBlob(session, workspace, uploadId, blob));
  await read(session, sealUpload(workspace, uploadId));
};

/** Records that the bytes are stored. */
export const completeUpload: Applier<"completeUpload"> = async (session, workspace, change) => {
  const { uploadId, blob, hash, filename, contentType, contentLength } = change;
  const arrival = [hash, filename, contentType, contentLength];
  expectOne(await complete(session, workspace, uploadId, blob, ...arrival));
  await read(session, sealUpload(workspace, uploadId));
};

/** Records why the bytes could not be fetched. */
export const failUpload: Applier<"failUpload"> = async (
  session,
  workspace,
  { uploadId, failure },
) => {
  expectOne(await fail(session, workspace, uploadId, failure));
  await read(session, sealUpload(workspace, uploadId));
};

/** Deletes expired uploads. */
export const expireUploads: Applier<"expireUploads"> = async (
  session,
  workspace,
  { time, limit },
) => {
  await expire(session, workspace, time, limit);
};

/** Deletes the records of orphaned blobs. */
export const deleteOrphans: Applier<"deleteOrphans"> = async (
  session,
  workspace,
  { orphans },
) => {
  await remove(session, workspace, orphans);
};
