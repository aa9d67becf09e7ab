/**
 * Writing receipts: the first replies to requests with an `Idempotency-Key`.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { receiptChecksum } from "../checksum.ts";
import type { Receipt } from "../port.ts";

/** Prepares the statements that store a receipt; false if an unexpired one has the key. */
export function createReceiptWriter(
  db: DatabaseSync,
): (workspace: string, receipt: Receipt) => boolean {
  // More than one commit adds, so that they cannot pile up; few, so that each commit stays short.
  const forget = db.prepare(`
    DELETE FROM receipts WHERE workspace_id = ?1 AND key IN (
      SELECT key FROM receipts WHERE workspace_id = ?1 AND expires_time <= ?2
      ORDER BY expires_time LIMIT 16
    )
  `);
  const keep = db.prepare(`
    INSERT INTO receipts (
      workspace_id, key, fingerprint, status, etag, body, created_time, expires_time, checksum
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (workspace_id, key) DO UPDATE SET
      fingerprint = excluded.fingerprint, status = excluded.status, etag = excluded.etag,
      body = excluded.body, checksum = excluded.checksum, created_time = excluded.created_time,
      expires_time = excluded.expires_time
    WHERE receipts.expires_time <= excluded.created_time
  `);
  return (workspace, receipt) => {
    const { key, fingerprint, status, etag, body, createdTime, expiresTime } = receipt;
    forget.run(workspace, createdTime);
    const { changes } = keep.run(
      ...[workspace, key, fingerprint, status, etag, body, createdTime, expiresTime],
      receiptChecksum(receipt),
    );
    return Number(changes) === 1;
  };
}
