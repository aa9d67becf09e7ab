/**
 * Files of databases, as the system sees them.
 *
 * @module
 */

/** Returns whether a file or folder exists at this path. */
export async function exists(path: string): Promise<boolean> {
  return await statIfExists(path) !== undefined;
}

/** Describes what is at this path; undefined if there is nothing. */
export async function statIfExists(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Removes a file if it exists. */
export async function removeQuietly(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
