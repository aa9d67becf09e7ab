/**
 * The layout of the folder of files.
 *
 * @module
 */
import { createHash } from "node:crypto";

export interface Paths {
  /** Folder with the folders of all uploads in progress. */
  allIncoming(workspace: string): string;
  /** Folder of an upload in progress: its parts and temporary files. */
  incoming(workspace: string, uploadId: string): string;
  part(workspace: string, uploadId: string, number: number): string;
  /** Folders to sync after adding a file, the innermost last. */
  folders(workspace: string, blob: string): readonly string[];
  blob(workspace: string, blob: string): string;
  /** File that is written to find out if the disk takes any. */
  readonly probe: string;
}

const PART = /^part-(\d+)$/;

/** Creates the paths below `root`; they contain no characters chosen by clients. */
export function createPaths(root: string): Paths {
  const home = (workspace: string) =>
    `${root}/${createHash("sha256").update(workspace).digest("hex").slice(0, 32)}`;
  const allIncoming = (workspace: string) => `${home(workspace)}/incoming`;
  const incoming = (workspace: string, id: string) => `${allIncoming(workspace)}/${id}`;
  const folder = (workspace: string, blob: string) => `${home(workspace)}/${blob.slice(0, 2)}`;
  return {
    allIncoming,
    incoming,
    part: (workspace, id, number) => `${incoming(workspace, id)}/part-${number}`,
    folders: (workspace, blob) => [root, home(workspace), folder(workspace, blob)],
    blob: (workspace, blob) => `${folder(workspace, blob)}/${blob}`,
    // Backups skip files beside the folders of workspaces.
    probe: `${root}/probe`,
  };
}

/** Returns the part number of a file name; undefined for any other file. */
export function partNumber(name: string): number | undefined {
  const [, number] = PART.exec(name) ?? [];
  return number === undefined ? undefined : Number(number);
}
