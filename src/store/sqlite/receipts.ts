/**
 * Answers kept for repeated requests.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Receipt } from "../port.ts";

/** Prepares the statement that finds a receipt. */
export function createReceiptReader(
  connection: DatabaseSync,
): (workspace: string, key: string, now: number) => Receipt | undefined {
  const find = connection.prepare(`
    SELECT key, fingerprint, status, etag, body,
      created_time AS createdTime, expires_time AS expiresTime
    FROM receipts WHERE workspace_id = ? AND key = ? AND expires_time > ?
  `);
  return (workspace, key, now) => {
    // Sound because the columns are those of a Receipt, from a STRICT table.
    return find.get(workspace, key, now) as Receipt | undefined;
  };
}

/** Prepares the statements that keep a receipt; a living one of the same key is a unique violation. */
export function createReceiptWriter(
  connection: DatabaseSync,
): (workspace: string, receipt: Receipt) => void {
  const forget = connection.prepare(
    "DELETE FROM receipts WHERE workspace_id = ? AND expires_time <= ?",
  );
  const keep = connection.prepare(`
    INSERT INTO receipts (
      workspace_id, key, fingerprint, status, etag, body, created_time, expires_time
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  `);
  return (workspace, { key, fingerprint, status, etag, body, createdTime, expiresTime }) => {
    forget.run(workspace, createdTime);
    keep.run(workspace, key, fingerprint, status, etag, body, createdTime, expiresTime);
  };
}
