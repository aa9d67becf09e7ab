/**
 * Copies of the database, as archives contain them.
 *
 * @module
 */
import type { Config } from "../../config/config.ts";
import { OperatorError } from "../../store/operator_error.ts";
import { backUp, lastMigration, type UsedBlob, usedBlobs } from "../../store/sqlite/backup.ts";
import { exists, removeQuietly } from "../../store/sqlite/file.ts";

/** A consistent copy of a database in one file. */
export interface DatabaseCopy {
  readonly path: string;
  /** The last migration. */
  readonly schema: string;
  /** Returns the blobs that the copy refers to. */
  blobs(): Iterable<UsedBlob>;
}

/** Copies the database of the configuration to a file, which is replaced if it exists. */
export async function copyDatabase(
  config: Config["database"],
  path: string,
): Promise<DatabaseCopy> {
  await removeQuietly(path);
  if (config.kind === "postgres") {
    const { dump } = await import("../../store/postgres/backup.ts");
    return await dump(config.url, path);
  }
  if (!await exists(config.path)) throw new OperatorError(`No such database: ${config.path}`);
  await backUp(config.path, path);
  return { path, schema: lastMigration(path), blobs: () => usedBlobs(path) };
}
