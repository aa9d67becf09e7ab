/**
 * The life of an upload.
 *
 * @module
 */
import { statement } from "../query.ts";
import type { Applier } from "./appliers.ts";
import { expectOne } from "./expectation.ts";

const insert = statement(`
  INSERT INTO uploads (
    workspace_id, id, status, parts, filename, content_type, content_length, blob, hash,
    created_time, created_by, expires_time, life
  ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
`);
const leaveEarlier = statement(`
  INSERT INTO leftovers (workspace_id, upload_id, blob)
  SELECT workspace_id, id, blob FROM uploads
  WHERE workspace_id = $1 AND id = $2 AND status = 'pending' AND blob <> $3
  ON CONFLICT DO NOTHING
`);
const rename = statement(`
  UPDATE uploads SET blob = $3 WHERE workspace_id = $1 AND id = $2 AND status = 'pending'
`);
const settle = statement(`
  UPDATE uploads SET
    status = 'uploaded', hash = $4, filename = $5, content_type = $6, content_length = $7,
    blob = coalesce((
      SELECT same.blob FROM uploads same
      WHERE same.workspace_id = $1 AND same.hash = $4 AND same.status = 'uploaded' LIMIT 1
    ), $3)
  WHERE workspace_id = $1 AND id = $2 AND status = 'pending' AND blob = $3
`);
const leaveOwn = statement(`
  INSERT INTO leftovers (workspace_id, upload_id, blob)
  SELECT workspace_id, id, $3 FROM uploads
  WHERE workspace_id = $1 AND id = $2 AND blob <> $3
  ON CONFLICT DO NOTHING
`);

const EXPIRED = `
  SELECT id FROM uploads WHERE workspace_id = $1 AND expires_time <= $2
  ORDER BY expires_time, id LIMIT $3
`;
// What none but the expired have is nobody's.
const leaveExpired = statement(`
  INSERT INTO leftovers (workspace_id, upload_id, blob)
  SELECT u.workspace_id, u.id, CASE WHEN EXISTS (
    SELECT FROM uploads o
    WHERE o.workspace_id = $1 AND o.blob = u.blob AND o.id NOT IN (${EXPIRED})
  ) THEN '' ELSE coalesce(u.blob, '') END
  FROM uploads u WHERE u.workspace_id = $1 AND u.id IN (${EXPIRED})
  ON CONFLICT DO NOTHING
`);
const removeExpired = statement(
  `DELETE FROM uploads WHERE workspace_id = $1 AND id IN (${EXPIRED})`,
);
const remove = statement(`
  DELETE FROM leftovers l
  USING json_to_recordset($2::json) AS gone ("uploadId" text, blob text)
  WHERE l.workspace_id = $1 AND l.upload_id = gone."uploadId" AND l.blob = gone.blob
`);

/** Makes an upload. */
export const upload: Applier<"upload"> = async (session, workspace, { upload: one }) => {
  await insert(
    session,
    ...[workspace, one.id, one.status, one.parts, one.filename, one.contentType],
    ...[one.contentLength, one.blob, one.hash],
    ...[one.createdTime, one.createdBy, one.expiresTime, one.life],
  );
};

/** Names what its bytes are kept under. */
export const stow: Applier<"stow"> = async (session, workspace, { uploadId, blob }) => {
  const [, count] = await Promise.all([
    leaveEarlier(session, workspace, uploadId, blob),
    rename(session, workspace, uploadId, blob),
  ]);
  expectOne(count);
};

/** Takes its bytes, or those of an upload that has the same. */
export const arrive: Applier<"arrive"> = async (session, workspace, arrival) => {
  const { uploadId, blob, hash, filename, contentType, contentLength } = arrival;
  const [count] = await Promise.all([
    settle(session, workspace, uploadId, blob, hash, filename, contentType, contentLength),
    leaveOwn(session, workspace, uploadId, blob),
  ]);
  expectOne(count);
};

/** Removes those whose life ended. */
export const expire: Applier<"expire"> = async (session, workspace, { time, limit }) => {
  await Promise.all([
    leaveExpired(session, workspace, time, limit),
    removeExpired(session, workspace, time, limit),
  ]);
};

/** Forgets what was left over. */
export const forget: Applier<"forget"> = async (session, workspace, { leftovers }) => {
  await remove(session, workspace, leftovers);
};
