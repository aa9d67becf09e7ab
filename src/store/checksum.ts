/**
 * Checksums of stored documents: detect what a failing disk changed before a client gets it.
 *
 * @module
 */
import type { Node } from "../content/schema/node.ts";
import { AppError } from "../shared/errors.ts";
import type { Receipt } from "./port.ts";

/** The members that a checksum covers, including the ID to detect documents in the wrong place. */
export type Checked = Pick<Node, "id" | "title" | "doc">;

/** Says which node's document is damaged, for the log and `/readyz`. */
export class DamagedDocument extends Error {
  override name = "DamagedDocument";

  constructor(readonly workspace: string, readonly id: string) {
    super(`Stored document ${id} in workspace ${workspace} does not match its checksum`);
  }
}

/** Returns whether an error says that a document is damaged. */
export function isDamaged(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof DamagedDocument;
}

// Constants of FNV-1a.
const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** Returns a signed 32-bit checksum. A change of one character always changes it. */
export function checksumOf({ id, title, doc }: Checked): number {
  return fold(fold(fold(BASIS, id), title), doc);
}

/** Range of lengths, in characters, for which encoding the text first is faster. */
const LONG = { least: 1_024, most: 65_536 };
const encoder = new TextEncoder();
const bytes = new Uint8Array(LONG.most);

function fold(start: number, text: string): number {
  let hash = start;
  for (let at = 0; at < text.length; at += LONG.most) {
    hash = foldPart(hash, text.length <= LONG.most ? text : text.slice(at, at + LONG.most));
  }
  // Marks the end of a text: no character has this code.
  return Math.imul(hash ^ 0x10000, PRIME);
}

function foldPart(start: number, text: string): number {
  let hash = start;
  const { length } = text;
  if (length >= LONG.least && encodeAscii(text)) {
    for (let at = 0; at < length; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), PRIME);
  } else {
    for (let at = 0; at < length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  }
  return hash;
}

/** Writes the text to `bytes`. Returns false if it is not ASCII, where a character is one byte. */
function encodeAscii(text: string): boolean {
  const { read, written } = encoder.encodeInto(text, bytes);
  return read === text.length && written === text.length;
}

/** A stored receipt. Receipts older than checksums have none. */
export interface StoredReceipt extends Receipt {
  readonly checksum: number | null;
}

/** The checksum of a receipt's answer. */
export function receiptChecksum({ key, body }: Pick<Receipt, "key" | "body">): number {
  return fold(fold(BASIS, key), body);
}

/** Returns the receipt. Throws `data_corrupted` if its stored reply has changed. */
export function intactReceipt(
  workspace: string,
  { checksum, ...receipt }: StoredReceipt,
): Receipt {
  if (checksum === null || receiptChecksum(receipt) === checksum) return receipt;
  throw new AppError("data_corrupted", "The stored answer to this Idempotency-Key is damaged", {
    cause: new DamagedDocument(workspace, `receipt ${receipt.key}`),
  });
}

/** Returns whether a document is unchanged. Without a checksum, it must at least be valid JSON. */
export function isIntact(document: Checked, checksum: number | null): boolean {
  return checksum === null ? isJson(document.doc) : checksumOf(document) === checksum;
}

/** Throws `data_corrupted` if a document has changed since it was written. */
export function assertIntact(workspace: string, document: Checked, checksum: number | null): void {
  if (isIntact(document, checksum)) return;
  const { id } = document;
  throw new AppError("data_corrupted", `Stored content of ${id} is damaged: tell the operator`, {
    cause: new DamagedDocument(workspace, id),
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
