/**
 * Writing uploads and the records of orphaned blobs.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { checksumOf } from "../../checksum.ts";
import { uploadDocument } from "../../reads/upload_row.ts";
import { createRecordSeals } from "../../record_checksums.ts";
import { type Query, query } from "../query.ts";
import { createReader } from "../reader.ts";
import type { Applier, Appliers } from "./appliers.ts";
import { expectOne } from "./expectation.ts";

/** Prepares the statements that change uploads. */
export function createUploadAppliers(
  db: DatabaseSync,
): Pick<
  Appliers,
  | "createUpload"
  | "storeUpload"
  | "completeUpload"
  | "failUpload"
  | "expireUploads"
  | "deleteOrphans"
> {
  const insert = db.prepare(
    "INSERT INTO leftovers (workspace_id, upload_id, blob) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
  );
  const { source, run } = createReader(db);
  const { sealUpload } = createRecordSeals(source);
  const seal: Seal = (workspace, uploadId) => run(sealUpload(workspace, uploadId));
  const addOrphan = (workspace: string, uploadId: string, blob: string): void => {
    insert.run(workspace, uploadId, blob);
  };
  return {
    createUpload: createNew(db),
    storeUpload: createStore(db, addOrphan, seal),
    completeUpload: createComplete(db, addOrphan, seal),
    failUpload: createFail(db, seal),
    expireUploads: createExpire(db, addOrphan),
    deleteOrphans: createDelete(db),
  };
}

/** Records an orphaned blob. */
type AddOrphan = (workspace: string, uploadId: string, blob: string) => void;

/** Sets the checksum of an upload that was changed. */
type Seal = (workspace: string, uploadId: string) => void;

function createNew(db: DatabaseSync): Applier<"createUpload"> {
  const insert = db.prepare(`
    INSERT INTO uploads (
      workspace_id, id, status, parts, filename, content_type, content_length, blob, hash,
      created_time, created_by, expires_time, life, source_url, failure, checksum
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  `);
  return (workspace, { upload: one }) => {
    insert.run(
      ...[workspace, one.id, one.status, one.parts, one.filename, one.contentType],
      ...[one.contentLength, one.blob, one.hash],
      ...[one.createdTime, one.createdBy, one.expiresTime, one.life, one.sourceUrl, one.failure],
      checksumOf(uploadDocument(one)),
    );
  };
}

function blobOf(db: DatabaseSync): Query<[string | null]> {
  return query(
    db,
    "SELECT blob FROM uploads WHERE workspace_id = ? AND id = ? AND status = 'pending'",
  );
}

function createStore(
  db: DatabaseSync,
  addOrphan: AddOrphan,
  seal: Seal,
): Applier<"storeUpload"> {
  const before = blobOf(db);
  const store = db.prepare(`
    UPDATE uploads SET blob = ?3 WHERE workspace_id = ?1 AND id = ?2 AND status = 'pending'
  `);
  return (workspace, { uploadId, blob }) => {
    const [earlier = null] = before.get(workspace, uploadId) ?? [];
    expectOne(store.run(workspace, uploadId, blob));
    seal(workspace, uploadId);
    if (earlier !== null && earlier !== blob) addOrphan(workspace, uploadId, earlier);
  };
}

function createComplete(
  db: DatabaseSync,
  addOrphan: AddOrphan,
  seal: Seal,
): Applier<"completeUpload"> {
  const same: Query<[string]> = query(
    db,
    `SELECT blob FROM uploads INDEXED BY uploads_by_hash
    WHERE workspace_id = ? AND hash = ? AND status = 'uploaded' LIMIT 1`,
  );
  const complete = db.prepare(`
    UPDATE uploads SET
      status = 'uploaded', blob = ?4, hash = ?5, filename = ?6, content_type = ?7,
      content_length = ?8
    WHERE workspace_id = ?1 AND id = ?2 AND status = 'pending' AND blob = ?3
  `);
  return (workspace, { uploadId, blob, hash, filename, contentType, contentLength }) => {
    const [stored = blob] = hash === null ? [] : same.get(workspace, hash) ?? [];
    expectOne(complete.run(
      ...[workspace, uploadId, blob, stored, hash, filename, contentType, contentLength],
    ));
    seal(workspace, uploadId);
    if (stored !== blob) addOrphan(workspace, uploadId, blob);
  };
}

function createFail(db: DatabaseSync, seal: Seal): Applier<"failUpload"> {
  const fail = db.prepare(`
    UPDATE uploads SET failure = ?3 WHERE workspace_id = ?1 AND id = ?2 AND status = 'pending'
  `);
  return (workspace, { uploadId, failure }) => {
    expectOne(fail.run(workspace, uploadId, failure));
    seal(workspace, uploadId);
  };
}

function createExpire(db: DatabaseSync, addOrphan: AddOrphan): Applier<"expireUploads"> {
  const expired: Query<[id: string, blob: string | null]> = query(
    db,
    `DELETE FROM uploads WHERE workspace_id = ?1 AND id IN (
      SELECT id FROM uploads WHERE workspace_id = ?1 AND expires_time <= ?2
      ORDER BY expires_time LIMIT ?3
    ) RETURNING id, blob`,
  );
  const used: Query<[number]> = query(
    db,
    `SELECT 1 FROM uploads INDEXED BY uploads_by_blob
    WHERE workspace_id = ? AND blob = ? LIMIT 1`,
  );
  return (workspace, { time, limit }) => {
    for (const [id, blob] of expired.all(workspace, time, limit)) {
      // The expired uploads are deleted by now: a blob without an upload is an orphan.
      const isUsed = blob === null || used.get(workspace, blob) !== undefined;
      addOrphan(workspace, id, isUsed ? "" : blob);
    }
  };
}

function createDelete(db: DatabaseSync): Applier<"deleteOrphans"> {
  const remove = db.prepare(
    "DELETE FROM leftovers WHERE workspace_id = ? AND upload_id = ? AND blob = ?",
  );
  return (workspace, { orphans }) => {
    for (const { uploadId, blob } of orphans) remove.run(workspace, uploadId, blob);
  };
}
