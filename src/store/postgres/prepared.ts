/**
 * Which statements are prepared. A connection keeps what it prepares for as long as it lives, and
 * clients choose how many statements their queries make: so only the first so many, none of them
 * long.
 *
 * @module
 */

const MAX_STATEMENTS = 500;
/** Characters; what is longer takes long by itself. */
const MAX_LENGTH = 10_000;

const prepared = new Set<string>();

/** Returns whether connections prepare this statement. */
export function isPrepared(text: string): boolean {
  if (prepared.has(text)) return true;
  if (prepared.size >= MAX_STATEMENTS || text.length > MAX_LENGTH) return false;
  prepared.add(text);
  return true;
}
