/**
 * How much waits and how much is stored, over all workspaces. It names none of them.
 *
 * @module
 */

/** Rows that wait for work in the background; of more than were to be counted, that many. */
export interface Backlogs {
  /** Pages and databases whose vectors are due. */
  readonly vectors: number;
  /** Workspaces from before there was search that are not yet in the word index. */
  readonly words: number;
  /** Blobs without an upload that are to be deleted. */
  readonly orphans: number;
}

export interface UploadKey {
  readonly workspace: string;
  readonly id: string;
}

/** Some of the files of all workspaces. */
export interface FilePortion {
  readonly files: number;
  readonly bytes: number;
  /** The key after which the next portion begins; undefined if this one is empty. */
  readonly last: UploadKey | undefined;
}

export interface TotalReader {
  /** Counts each backlog, up to `most` rows. */
  backlogs(most: number): Promise<Backlogs>;

  /** Returns how many of the `limit` uploads behind `after` have bytes, and how many. */
  filePortion(after: UploadKey | undefined, limit: number): Promise<FilePortion>;
}
