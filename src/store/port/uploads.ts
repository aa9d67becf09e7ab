/**
 * Uploads, and the blobs that no upload uses any more.
 *
 * @module
 */
import type { OrphanedBlob, Upload } from "../../content/values/uploads.ts";

export interface UploadReader {
  /** Returns the existing uploads among `ids`, including expired ones, in any order. */
  uploads(workspace: string, ids: readonly string[]): Promise<Upload[]>;

  /** Returns at most `limit` of the orphaned blobs of expired and superseded uploads. */
  orphans(workspace: string, limit: number): Promise<OrphanedBlob[]>;

  /**
   * Returns the first workspace after this name that has orphaned blobs, or uploads that no content
   * refers to. It searches all workspaces, because nothing else says which ones need a sweep.
   */
  sweepable(after: string): Promise<string | undefined>;
}
