/**
 * The life of an upload.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { type Query, query } from "../query.ts";
import type { Applier, Appliers } from "./appliers.ts";
import { expectOne } from "./expectation.ts";

/** Prepares the statements that change uploads. */
export function createUploadAppliers(
  db: DatabaseSync,
): Pick<Appliers, "upload" | "stow" | "arrive" | "expire" | "forget"> {
  const keep = db.prepare(
    "INSERT INTO leftovers (workspace_id, upload_id, blob) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
  );
  const leave = (workspace: string, uploadId: string, blob: string): void => {
    keep.run(workspace, uploadId, blob);
  };
  return {
    upload: createNew(db),
    stow: createStow(db, leave),
    arrive: createArrive(db, leave),
    expire: createExpire(db, leave),
    forget: createForget(db),
  };
}

/** Keeps a leftover. */
type Leave = (workspace: string, uploadId: string, blob: string) => void;

function createNew(db: DatabaseSync): Applier<"upload"> {
  const insert = db.prepare(`
    INSERT INTO uploads (
      workspace_id, id, status, parts, filename, content_type, content_length, blob, hash,
      created_time, created_by, expires_time, life
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  `);
  return (workspace, { upload: one }) => {
    insert.run(
      ...[workspace, one.id, one.status, one.parts, one.filename, one.contentType],
      ...[one.contentLength, one.blob, one.hash],
      ...[one.createdTime, one.createdBy, one.expiresTime, one.life],
    );
  };
}

function blobOf(db: DatabaseSync): Query<[string | null]> {
  return query(
    db,
    "SELECT blob FROM uploads WHERE workspace_id = ? AND id = ? AND status = 'pending'",
  );
}

function createStow(db: DatabaseSync, leave: Leave): Applier<"stow"> {
  const before = blobOf(db);
  const stow = db.prepare(`
    UPDATE uploads SET blob = ?3 WHERE workspace_id = ?1 AND id = ?2 AND status = 'pending'
  `);
  return (workspace, { uploadId, blob }) => {
    const [earlier = null] = before.get(workspace, uploadId) ?? [];
    expectOne(stow.run(workspace, uploadId, blob));
    if (earlier !== null && earlier !== blob) leave(workspace, uploadId, earlier);
  };
}

function createArrive(db: DatabaseSync, leave: Leave): Applier<"arrive"> {
  const same: Query<[string]> = query(
    db,
    `SELECT blob FROM uploads INDEXED BY uploads_by_hash
    WHERE workspace_id = ? AND hash = ? AND status = 'uploaded' LIMIT 1`,
  );
  const arrive = db.prepare(`
    UPDATE uploads SET
      status = 'uploaded', blob = ?4, hash = ?5, filename = ?6, content_type = ?7,
      content_length = ?8
    WHERE workspace_id = ?1 AND id = ?2 AND status = 'pending' AND blob = ?3
  `);
  return (workspace, { uploadId, blob, hash, filename, contentType, contentLength }) => {
    const [known = blob] = hash === null ? [] : same.get(workspace, hash) ?? [];
    expectOne(arrive.run(
      ...[workspace, uploadId, blob, known, hash, filename, contentType, contentLength],
    ));
    if (known !== blob) leave(workspace, uploadId, blob);
  };
}

function createExpire(db: DatabaseSync, leave: Leave): Applier<"expire"> {
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
      // These uploads are deleted by now, so bytes that no other upload has belong to nobody.
      const isUsed = blob === null || used.get(workspace, blob) !== undefined;
      leave(workspace, id, isUsed ? "" : blob);
    }
  };
}

function createForget(db: DatabaseSync): Applier<"forget"> {
  const forget = db.prepare(
    "DELETE FROM leftovers WHERE workspace_id = ? AND upload_id = ? AND blob = ?",
  );
  return (workspace, { leftovers }) => {
    for (const { uploadId, blob } of leftovers) forget.run(workspace, uploadId, blob);
  };
}
