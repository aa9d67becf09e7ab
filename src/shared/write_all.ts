/**
 * Writes to standard output and error.
 *
 * @module
 */

/** Writes asynchronously: a pipe that nobody reads would block the whole process. */
export async function writeAll(
  to: { write(bytes: Uint8Array): Promise<number> },
  bytes: Uint8Array,
): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await to.write(rest));
}
