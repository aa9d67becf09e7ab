/**
 * Page cursors: opaque, tamper-proof, and bound to one list.
 *
 * @module
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { Buffer } from "node:buffer";
import { LRUCache } from "lru-cache";
import { upTo } from "../shared/cache_limit.ts";
import { validationError } from "../shared/errors.ts";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Maximum length in characters: enough for the values of 100 text sorts. */
export const MAX_CURSOR_LENGTH = 200_000;

/** Maximum number of cursors that are cached, and of characters that they were sealed from. */
const MAX_CACHED = 1_000;
const MAX_CACHED_LENGTH = 1_000;

export interface Cursors {
  /**
   * Encrypts a position in a list; `context` identifies the list: route, workspace, parent, filter,
   * sort.
   */
  seal(position: string, context: string): string;
  /**
   * Decrypts the position; throws `validation_error` if the cursor was altered or is of another
   * list.
   */
  open(cursor: string, context: string): string;
}

/**
 * Creates cursors that are encrypted with AES-256-GCM; all replicas share the secret of 32 bytes.
 */
export function createCursors(secret: Uint8Array): Cursors {
  // The same pages are read again and again, and sealing is a twentieth of a query.
  const sealed = new LRUCache<string, string>(upTo(MAX_CACHED));
  return {
    seal(position, context) {
      const key = `${position.length} ${position}${context}`;
      const cached = sealed.get(key);
      if (cached !== undefined) return cached;
      const cursor = seal(secret, position, context);
      if (key.length <= MAX_CACHED_LENGTH) sealed.set(key, cursor);
      return cursor;
    },
    open(cursor, context) {
      const position = cursor.length <= MAX_CURSOR_LENGTH
        ? open(secret, cursor, context)
        : undefined;
      if (position === undefined) throw invalidCursor();
      return position;
    },
  };
}

function seal(secret: Uint8Array, position: string, context: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", secret, iv);
  cipher.setAAD(Buffer.from(context));
  const sealed = [cipher.update(position, "utf8"), cipher.final()];
  return Buffer.concat([iv, ...sealed, cipher.getAuthTag()]).toString("base64url");
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

/** Returns the error for a cursor that does not belong to the list. */
export function invalidCursor(): Error {
  return validationError([{
    pointer: "/start_cursor",
    detail: "The start_cursor does not belong to this list: start again without it.",
  }]);
}
