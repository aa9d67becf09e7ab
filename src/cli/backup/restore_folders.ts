/**
 * The folders that a restore unpacks an archive into: each part is on the file system of what it
 * replaces, so that it can be renamed into place.
 *
 * @module
 */
import type { Config } from "../../config/config.ts";
import { exists } from "../../store/sqlite/file.ts";
import { DATABASE_MEMBERS } from "./manifest.ts";
import type { Scratch } from "./scratch.ts";

export interface RestoreFolders {
  /** Folder of the members that are neither the database nor files. */
  readonly others: string;
  /** Path of the copy of the database. */
  readonly database: string;
  /** Folder of the files. */
  readonly files: string;
}

/** Adds these folders to `scratch`. */
export async function addRestoreFolders(
  scratch: Scratch,
  { database, dataDir }: Pick<Config, "database" | "dataDir">,
): Promise<RestoreFolders> {
  const files = `${dataDir}/files`;
  return {
    others: scratch.path,
    database: database.kind === "sqlite"
      ? `${await scratch.add(`${database.path}.restoring`)}/${DATABASE_MEMBERS.sqlite}`
      : `${scratch.path}/${DATABASE_MEMBERS.postgres}`,
    files: await exists(files)
      ? await scratch.add(`${files}/.recto-restoring`)
      : `${scratch.path}/files`,
  };
}
