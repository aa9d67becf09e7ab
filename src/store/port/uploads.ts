/**
 * Uploads, and the bytes that expired ones left over.
 *
 * @module
 */
import type { Leftover, Upload } from "../../content/values/uploads.ts";

export interface UploadReader {
  /** Returns the existing uploads among `ids`, including expired ones, in any order. */
  uploads(workspace: string, ids: readonly string[]): Promise<Upload[]>;

  /** Returns at most `limit` of the blobs that expired and superseded uploads left over. */
  leftovers(workspace: string, limit: number): Promise<Leftover[]>;

  /**
   * Returns the first workspace behind this name that has leftovers, or uploads that nothing refers
   * to. It spans all workspaces, because nothing else says where to sweep.
   */
  sweepable(after: string): Promise<string | undefined>;
}
