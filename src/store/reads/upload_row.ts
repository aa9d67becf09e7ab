/**
 * The columns of an upload.
 *
 * @module
 */
import type { Upload } from "../../content/values/uploads.ts";
import { assertIntact, type Checked } from "../checksum.ts";

export const UPLOAD_COLUMNS = `
  u.id, u.status, u.parts, u.filename, u.content_type, u.content_length, u.blob, u.hash,
  u.created_time, u.created_by, u.expires_time, u.life, u.source_url, u.failure, u.checksum
`;

/** UPLOAD_COLUMNS, one for one. */
export type UploadRow = readonly [
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
  checksum: number | null,
];

/** An upload that was not compared with its checksum yet. */
export interface StoredUpload {
  readonly upload: Upload;
  readonly checked: Checked;
  /** Null if it was written before there were checksums. */
  readonly checksum: number | null;
}

export function toStoredUpload(row: UploadRow): StoredUpload {
  const upload: Upload = {
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
  return { upload, checked: uploadDocument(upload), checksum: row[14] };
}

/** Returns what the checksum covers: all but when it expires, which documents change that show it. */
export function uploadDocument({ id, ...upload }: Upload): Checked {
  const { status, parts, filename, contentType, contentLength, blob, hash } = upload;
  const { createdTime, createdBy, life, sourceUrl, failure } = upload;
  const file = [status, parts, filename, contentType, contentLength, blob, hash];
  const doc = JSON.stringify([...file, createdTime, createdBy, life, sourceUrl, failure]);
  return { id, title: "", doc };
}

/** Returns the upload. Throws `data_corrupted` if it has changed since it was written. */
export function toUpload(workspace: string, row: UploadRow): Upload {
  const { upload, checked, checksum } = toStoredUpload(row);
  assertIntact(workspace, checked, checksum);
  return upload;
}
