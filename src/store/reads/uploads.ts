/**
 * Reading uploads, and the blobs that no upload uses any more.
 *
 * @module
 */
import { compareCodePoints } from "../../content/schema/collation.ts";
import type { OrphanedBlob, Upload } from "../../content/values/uploads.ts";
import type { UploadListOptions } from "../port.ts";
import type { ReadPlan, Source } from "./query.ts";

const COLUMNS = `
  u.id, u.status, u.parts, u.filename, u.content_type, u.content_length, u.blob, u.hash,
  u.created_time, u.created_by, u.expires_time, u.life, u.source_url, u.failure
`;

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
  sourceUrl: string | null,
  failure: string | null,
];

export interface UploadReads {
  uploads(workspace: string, ids: readonly string[]): ReadPlan<Upload[]>;
  ownUploads(
    workspace: string,
    createdBy: string,
    options: UploadListOptions,
  ): ReadPlan<Upload[]>;
  orphans(workspace: string, limit: number): ReadPlan<OrphanedBlob[]>;
  sweepable(after: string): ReadPlan<string | undefined>;
}

/** Declares the statements that read uploads. */
export function createUploadReads({ dialect, query }: Source): UploadReads {
  const uploads = query<Row>(
    `SELECT ${COLUMNS} ${dialect.listed("uploads u", "u.id", "$2")} AND u.workspace_id = $1`,
  );
  const own = query<Row>(
    `SELECT ${COLUMNS} FROM uploads u
    WHERE u.workspace_id = $1 AND u.created_by = $2 AND u.id < $3 ORDER BY u.id DESC LIMIT $4`,
  );
  const orphans = query<[uploadId: string, blob: string]>(
    `SELECT upload_id, blob FROM leftovers
    WHERE workspace_id = $1 AND upload_id > '' ORDER BY upload_id LIMIT $2`,
  );
  const next = query<[expiring: string | null, littered: string | null]>(
    `SELECT
      (SELECT min(workspace_id) FROM uploads
        WHERE workspace_id > $1 AND expires_time IS NOT NULL),
      (SELECT min(workspace_id) FROM leftovers WHERE workspace_id > $1)`,
  );
  return {
    uploads: (workspace, ids) => uploads.all([workspace, ids], toUpload),
    ownUploads: (workspace, createdBy, { before = LAST, limit }) =>
      own.all([workspace, createdBy, before, limit], toUpload),
    orphans: (workspace, limit) =>
      orphans.all([workspace, limit], ([uploadId, blob]) => ({ uploadId, blob })),
    sweepable: (after) =>
      next.first(
        [after],
        (found) => found.filter((one) => one !== null).sort(compareCodePoints)[0],
      ),
  };
}

/** Behind every ID. */
const LAST = "~";

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
    sourceUrl: row[12],
    failure: row[13],
  };
}
