/**
 * Answers kept for repeated requests.
 *
 * @module
 */
import { intactReceipt, receiptChecksum } from "../checksum.ts";
import type { Receipt } from "../port.ts";
import { query, type Session, statement } from "./query.ts";

type Row = readonly [
  key: string,
  fingerprint: string,
  status: number,
  etag: string | null,
  body: string,
  createdTime: number,
  expiresTime: number,
  checksum: number | null,
];

const find = query<Row>(`
  SELECT key, fingerprint, status, etag, body, created_time, expires_time, checksum
  FROM receipts WHERE workspace_id = $1 AND key = $2 AND expires_time > $3
`);

/** Reads receipts over a session. */
export function createReceiptReader(
  session: Session,
): (workspace: string, key: string, now: number) => Promise<Receipt | undefined> {
  return async (workspace, name, now) => {
    const row = await find.get(session, workspace, name, now);
    if (row === undefined) return undefined;
    const [key, fingerprint, status, etag, body, createdTime, expiresTime, checksum] = row;
    const receipt = { key, fingerprint, status, etag, body, createdTime, expiresTime };
    return intactReceipt(workspace, { ...receipt, checksum });
  };
}

// More of them than come, so they cannot pile up; few, so that no commit pays for a long absence.
const forget = statement(`
  DELETE FROM receipts WHERE workspace_id = $1 AND key IN (
    SELECT key FROM receipts WHERE workspace_id = $1 AND expires_time <= $2
    ORDER BY expires_time LIMIT 16
  )
`);
const keep = statement(`
  INSERT INTO receipts (
    workspace_id, key, fingerprint, status, etag, body, created_time, expires_time, checksum
  ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (workspace_id, key) DO UPDATE SET
    fingerprint = excluded.fingerprint, status = excluded.status, etag = excluded.etag,
    body = excluded.body, checksum = excluded.checksum, created_time = excluded.created_time,
    expires_time = excluded.expires_time
  WHERE receipts.expires_time <= excluded.created_time
`);

/** Keeps a receipt; false where a living one has the key. */
export async function keepReceipt(
  session: Session,
  workspace: string,
  receipt: Receipt,
): Promise<boolean> {
  const { key, fingerprint, status, etag, body, createdTime, expiresTime } = receipt;
  const [, kept] = await Promise.all([
    forget(session, workspace, createdTime),
    keep(
      session,
      ...[workspace, key, fingerprint, status, etag, body, createdTime, expiresTime],
      receiptChecksum(receipt),
    ),
  ]);
  return kept === 1;
}
