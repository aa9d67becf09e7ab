/**
 * Deleting files of purged pages and deleted workspaces.
 *
 * @module
 */
import { openBlobStore } from "../../app/files.ts";
import { sweep } from "../../files/sweeper.ts";
import type { Opened } from "./context.ts";

/** Deletes expired uploads and their files now, and not at the server's next sweep. */
export async function deleteFiles({ store, config }: Opened, now: number): Promise<void> {
  const { blobs } = await openBlobStore({ config, publicUrl: "", store, now: () => now });
  await sweep({ store, blobs }, now);
}
