/**
 * Uploads, and the blobs that no upload uses any more.
 *
 * @module
 */
import type { OrphanedBlob, Upload } from "../../content/values/uploads.ts";

export interface UploadListOptions {
  /** Only uploads that were created before the one with this ID. */
  readonly before?: string | undefined;
  /** At most this many. */
  readonly limit: number;
}

/** An upload whose bytes are stored. */
export interface FileRecord extends Pick<Upload, "id" | "contentLength" | "hash"> {
  readonly workspace: string;
  readonly blob: string;
}

/** The key of a file; files are checked in the order of workspace, blob and ID. */
export type FileKey = Pick<FileRecord, "workspace" | "blob" | "id">;

export interface UploadReader {
  /** Returns the existing uploads among `ids`, including expired ones, in any order. */
  uploads(workspace: string, ids: readonly string[]): Promise<Upload[]>;

  /** Returns the uploads that a user created, including expired ones, the latest first. */
  ownUploads(
    workspace: string,
    createdBy: string,
    options: UploadListOptions,
  ): Promise<Upload[]>;

  /** Returns the files of all workspaces in order, behind `after` or from the first. */
  fileRecords(after: FileKey | undefined, limit: number): Promise<FileRecord[]>;

  /** Returns at most `limit` of the orphaned blobs of expired and superseded uploads. */
  orphans(workspace: string, limit: number): Promise<OrphanedBlob[]>;

  /**
   * Returns the first workspace after this name that has orphaned blobs, or uploads that no content
   * refers to. It searches all workspaces, because nothing else says which ones need a sweep.
   */
  sweepable(after: string): Promise<string | undefined>;
}
