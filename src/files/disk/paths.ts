/**
 * Where what lies below a folder.
 *
 * @module
 */
import { createHash } from "node:crypto";

export interface Paths {
  /** What is on its way: parts, and files that are not whole. */
  incoming(workspace: string, uploadId: string): string;
  part(workspace: string, uploadId: string, number: number): string;
  /** Folders to be synced with a new file in them, the innermost last. */
  folders(workspace: string, blob: string): readonly string[];
  blob(workspace: string, blob: string): string;
}

const PART = /^part-(\d+)$/;

/** Paths below `root`; none holds a character that a client chose. */
export function createPaths(root: string): Paths {
  const home = (workspace: string) =>
    `${root}/${createHash("sha256").update(workspace).digest("hex").slice(0, 32)}`;
  const incoming = (workspace: string, id: string) => `${home(workspace)}/incoming/${id}`;
  const folder = (workspace: string, blob: string) => `${home(workspace)}/${blob.slice(0, 2)}`;
  return {
    incoming,
    part: (workspace, id, number) => `${incoming(workspace, id)}/part-${number}`,
    folders: (workspace, blob) => [root, home(workspace), folder(workspace, blob)],
    blob: (workspace, blob) => `${folder(workspace, blob)}/${blob}`,
  };
}

/** The number of a part by the name of its file; undefined of any other file. */
export function partNumber(name: string): number | undefined {
  const [, number] = PART.exec(name) ?? [];
  return number === undefined ? undefined : Number(number);
}
