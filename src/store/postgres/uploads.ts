/**
 * Reading uploads, and what they left over.
 *
 * @module
 */
import type { Leftover, Upload } from "../../content/values/uploads.ts";
import { query, type Session } from "./query.ts";

const COLUMNS = `
  u.id, u.status, u.parts, u.filename, u.content_type, u.content_length, u.blob, u.hash,
  u.created_time, u.created_by, u.expires_time, u.life
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
];

const known = query<Row>(
  `SELECT ${COLUMNS} FROM uploads u WHERE u.workspace_id = $1 AND u.id = ANY ($2::text[])`,
);
const left = query<[uploadId: string, blob: string]>(`
  SELECT upload_id, blob FROM leftovers WHERE workspace_id = $1 ORDER BY upload_id LIMIT $2
`);
const next = query<[string | null]>(`
  SELECT least(
    (SELECT min(workspace_id) FROM uploads WHERE workspace_id > $1 AND expires_time IS NOT NULL),
    (SELECT min(workspace_id) FROM leftovers WHERE workspace_id > $1)
  )
`);

export interface UploadReader {
  uploads(workspace: string, ids: readonly string[]): Promise<Upload[]>;
  leftovers(workspace: string, limit: number): Promise<Leftover[]>;
  sweepable(after: string): Promise<string | undefined>;
}

/** Reads uploads over a session. */
export function createUploadReader(session: Session): UploadReader {
  return {
    uploads: async (workspace, ids) => (await known.all(session, workspace, ids)).map(toUpload),
    async leftovers(workspace, limit) {
      const rows = await left.all(session, workspace, limit);
      return rows.map(([uploadId, blob]) => ({ uploadId, blob }));
    },
    sweepable: async (after) => (await next.get(session, after))?.[0] ?? undefined,
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
