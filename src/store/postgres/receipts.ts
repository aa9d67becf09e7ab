/**
 * Writing receipts: the first replies to requests with an `Idempotency-Key`.
 *
 * @module
 */
import { receiptChecksum } from "../checksum.ts";
import type { Receipt } from "../port.ts";
import { type Session, statement } from "./query.ts";

// More than one commit adds, so that they cannot pile up; few, so that each commit stays short.
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

/** Stores a receipt; false if an unexpired one has the key. */
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
