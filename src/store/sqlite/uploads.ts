/**
 * Reading uploads, and what they left over.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Leftover, Upload } from "../../content/values/uploads.ts";
import { type Query, query } from "./query.ts";

const COLUMNS =
  `u.id, u.status, u.parts, u.filename, u.content_type, u.content_length, u.blob, u.hash,
  u.created_time, u.created_by, u.expires_time, u.life`;

/** COLUMNS, one for one. */
type Row = readonly [
  id: string,
  status: Upload["status"],
  parts: number | null,
  filename: string | null,
  contentType: string | null,
  contentLength: number | null,
  blob: string | null,
  hash: string | null,
  createdTime: number,
  createdBy: string,
  expiresTime: number | null,
  life: number,
];

export interface UploadReader {
  uploads(workspace: string, ids: readonly string[]): Upload[];
  leftovers(workspace: string, limit: number): Leftover[];
  sweepable(after: string): string | undefined;
}

/** Prepares the statements that read uploads. */
export function createUploadReader(db: DatabaseSync): UploadReader {
  const uploads: Query<Row> = query(
    db,
    `SELECT ${COLUMNS} FROM json_each(?2) wanted
    CROSS JOIN uploads u ON u.workspace_id = ?1 AND u.id = wanted.value`,
  );
  const leftovers: Query<[uploadId: string, blob: string]> = query(
    db,
    `SELECT upload_id, blob FROM leftovers
    WHERE workspace_id = ? AND upload_id > '' ORDER BY upload_id LIMIT ?`,
  );
  const transient: Query<[string | null]> = query(
    db,
    `SELECT min(workspace_id) FROM uploads
    WHERE workspace_id > ? AND expires_time IS NOT NULL`,
  );
  const littered: Query<[string | null]> = query(
    db,
    "SELECT min(workspace_id) FROM leftovers WHERE workspace_id > ?",
  );
  return {
    uploads: (workspace, ids) => uploads.all(workspace, JSON.stringify(ids)).map(toUpload),
    leftovers: (workspace, limit) =>
      leftovers.all(workspace, limit).map(([uploadId, blob]) => ({ uploadId, blob })),
    sweepable(after) {
      const [first] = [transient, littered].flatMap((next) => next.get(after)?.[0] ?? []).sort();
      return first;
    },
  };
}

function toUpload(row: Row): Upload {
  return {
    id: row[0],
    status: row[1],
    parts: row[2],
    filename: row[3],
    contentType: row[4],
    contentLength: row[5],
    blob: row[6],
    hash: row[7],
    createdTime: row[8],
    createdBy: row[9],
    expiresTime: row[10],
    life: row[11],
  };
}
