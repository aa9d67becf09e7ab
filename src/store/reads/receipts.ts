/**
 * Reading receipts: the first replies to requests with an `Idempotency-Key`.
 *
 * @module
 */
import { intactReceipt, type StoredReceipt } from "../checksum.ts";
import type { Receipt } from "../port.ts";
import type { ReadPlan, Source } from "./query.ts";

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

export interface ReceiptReads {
  receipt(workspace: string, key: string, now: number): ReadPlan<Receipt | undefined>;
}

/** Declares the statement that finds a receipt. */
export function createReceiptReads({ query }: Source): ReceiptReads {
  const find = query<Row>(
    `SELECT key, fingerprint, status, etag, body, created_time, expires_time, checksum
    FROM receipts WHERE workspace_id = $1 AND key = $2 AND expires_time > $3`,
  );
  return {
    receipt: (workspace, key, now) =>
      find.first([workspace, key, now], (row) => intactReceipt(workspace, toReceipt(row))),
  };
}

function toReceipt(row: Row): StoredReceipt {
  const [key, fingerprint, status, etag, body, createdTime, expiresTime, checksum] = row;
  return { key, fingerprint, status, etag, body, createdTime, expiresTime, checksum };
}
