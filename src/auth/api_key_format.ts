/**
 * The form of API keys: `recto_`, 32 random characters, and 6 characters of checksum.
 *
 * Secret scanners find keys by `recto_[0-9A-Za-z]{38}` and discard what has another checksum.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "recto_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 32 characters of 62 have 190 bits of entropy. */
const RANDOM_LENGTH = 32;
/** 62 to the power of 6 is more than 2 to the power of 32. */
const CHECKSUM_LENGTH = 6;
const FORM = /^recto_[0-9A-Za-z]{38}$/;
const FIELD = /^\s*bearer +recto_/i;

/** Generates a new API key. */
export function generateApiKey(): string {
  const body = PREFIX + randomText();
  return body + checksumOf(body);
}

/**
 * Returns whether it has the form of an API key and the right checksum: any one typing error
 * changes that.
 */
export function isApiKey(text: string): boolean {
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return FORM.test(text) && text.slice(-CHECKSUM_LENGTH) === checksumOf(body);
}

/**
 * Returns whether an `Authorization` value holds an API key, well-formed or not, and no other
 * token.
 */
export function holdsApiKey(authorization: string | null): boolean {
  return authorization !== null && FIELD.test(authorization);
}

/** Returns the SHA-256 of an API key in hexadecimal. */
export function hashApiKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

function randomText(): string {
  let text = "";
  while (text.length < RANDOM_LENGTH) {
    const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH));
    // Values of 62 and 63 are skipped, so that all characters are equally likely.
    for (const byte of bytes) text += ALPHABET[byte & 63] ?? "";
  }
  return text.slice(0, RANDOM_LENGTH);
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = (ALPHABET[rest % 62] ?? "") + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
