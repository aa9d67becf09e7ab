/**
 * Temporary folders of tests.
 *
 * @module
 */

/** Runs a test with a folder of its own, which is deleted afterwards. */
export async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
