/**
 * Reading uploads, and the blobs that no upload uses any more.
 *
 * @module
 */
import { compareCodePoints } from "../../content/schema/collation.ts";
import type { OrphanedBlob, Upload } from "../../content/values/uploads.ts";
import type { FileKey, FileRecord, UploadListOptions } from "../port.ts";
import type { ReadPlan, Source } from "./query.ts";
import { toUpload, UPLOAD_COLUMNS, type UploadRow } from "./upload_row.ts";

export interface UploadReads {
  uploads(workspace: string, ids: readonly string[]): ReadPlan<Upload[]>;
  ownUploads(
    workspace: string,
    createdBy: string,
    options: UploadListOptions,
  ): ReadPlan<Upload[]>;
  fileRecords(after: FileKey | undefined, limit: number): ReadPlan<FileRecord[]>;
  orphans(workspace: string, limit: number): ReadPlan<OrphanedBlob[]>;
  sweepable(after: string): ReadPlan<string | undefined>;
}

/** Declares the statements that read uploads. */
export function createUploadReads({ dialect, query }: Source): UploadReads {
  const uploads = query<UploadRow>(
    `SELECT ${UPLOAD_COLUMNS} ${dialect.listed("uploads u", "u.id", "$2")} AND u.workspace_id = $1`,
  );
  const own = query<UploadRow>(
    `SELECT ${UPLOAD_COLUMNS} FROM uploads u
    WHERE u.workspace_id = $1 AND u.created_by = $2 AND u.id < $3 ORDER BY u.id DESC LIMIT $4`,
  );
  const files = query<FileRow>(
    `SELECT workspace_id, blob, id, content_length, hash FROM uploads
    WHERE (workspace_id, blob, id) > ($1, $2, $3) AND blob IS NOT NULL AND status = 'uploaded'
    ORDER BY workspace_id, blob, id LIMIT $4`,
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
    uploads: (workspace, ids) => uploads.all([workspace, ids], (row) => toUpload(workspace, row)),
    ownUploads: (workspace, createdBy, { before = LAST, limit }) =>
      own.all([workspace, createdBy, before, limit], (row) => toUpload(workspace, row)),
    fileRecords: (after, limit) =>
      files.all([after?.workspace ?? "", after?.blob ?? "", after?.id ?? "", limit], toFileRecord),
    orphans: (workspace, limit) =>
      orphans.all([workspace, limit], ([uploadId, blob]) => ({ uploadId, blob })),
    sweepable: (after) =>
      next.first(
        [after],
        (found) => found.filter((one) => one !== null).sort(compareCodePoints)[0],
      ),
  };
}

type FileRow = readonly [
  workspace: string,
  blob: string,
  id: string,
  contentLength: number | null,
  hash: string | null,
];

function toFileRecord([workspace, blob, id, contentLength, hash]: FileRow): FileRecord {
  return { workspace, blob, id, contentLength, hash };
}

/** Behind every ID. */
const LAST = "~";
