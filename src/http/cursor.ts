/**
 * Page cursors: opaque, bound to the list they were made for, and not to be altered.
 *
 * @module
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { Buffer } from "node:buffer";
import { validationError } from "../shared/errors.ts";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Characters of the longest cursor: what 100 texts that rows are sorted by need, and some more. */
export const CURSOR_LENGTH = 200_000;

export interface Cursors {
  /** Seals a place in the list that `context` names: route, workspace, parent, filter, sort. */
  seal(place: string, context: string): string;
  /** The place; `validation_error` where the cursor was altered or belongs to another list. */
  open(cursor: string, context: string): string;
}

/** Cursors under a secret of 32 bytes, the same on every replica (AES-256-GCM). */
export function createCursors(secret: Uint8Array): Cursors {
  return {
    seal: (place, context) => seal(secret, place, context),
    open(cursor, context) {
      const place = cursor.length <= CURSOR_LENGTH ? open(secret, cursor, context) : undefined;
      if (place === undefined) throw invalidCursor();
      return place;
    },
  };
}

function seal(secret: Uint8Array, place: string, context: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", secret, iv);
  cipher.setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(place, "utf8"), cipher.final()]);
  return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString("base64url");
}

function open(secret: Uint8Array, cursor: string, context: string): string | undefined {
  const bytes = Buffer.from(cursor, "base64url");
  if (bytes.length < IV_BYTES + TAG_BYTES || bytes.toString("base64url") !== cursor) {
    return undefined;
  }
  const decipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(0, IV_BYTES));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const opened = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

/** The fault of a cursor that shows no place in its list. */
export function invalidCursor(): Error {
  return validationError([{
    pointer: "/start_cursor",
    detail: "The start_cursor is not one of this list: start again without it.",
  }]);
}
