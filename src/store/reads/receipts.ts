/**
 * Reading receipts: the first replies to requests with an `Idempotency-Key`.
 *
 * @module
 */
import { intactReceipt } from "../checksum.ts";
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
    *receipt(workspace, name, now) {
      const row = yield* find.get(workspace, name, now);
      if (row === undefined) return undefined;
      const [key, fingerprint, status, etag, body, createdTime, expiresTime, checksum] = row;
      const receipt = { key, fingerprint, status, etag, body, createdTime, expiresTime };
      return intactReceipt(workspace, { ...receipt, checksum });
    },
  };
}
