/**
 * Names of users in logs.
 *
 * @module
 */
import { createHash, createHmac } from "node:crypto";

/**
 * Returns what logs call a user: 16 hexadecimal digits. Without a key, whoever has a list of subjects
 * can guess which user it is.
 */
export function pseudonymOf(identity: string, key: Uint8Array | undefined): string {
  const hash = key === undefined ? createHash("sha256") : createHmac("sha256", key);
  return hash.update(`log\0${identity}`).digest("hex").slice(0, 16);
}
