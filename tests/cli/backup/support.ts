/**
 * A data folder with content, and the commands on it.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { backup } from "../../../src/cli/backup.ts";
import { restore } from "../../../src/cli/restore.ts";
import type { CommandResult } from "../../../src/cli/result.ts";
import { openLocalIssuer } from "../../../src/auth/local_issuer.ts";
import { createPaths } from "../../../src/files/disk/paths.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { done, W } from "../../store/contract_support.ts";
import { insert, page } from "../../store/samples.ts";
import { runOn } from "../../store/sqlite/files.ts";
import { backUpAndRestore, type CheckedBackup } from "../../support/backups.ts";

export interface BackupDesk {
  readonly folder: string;
  readonly data: string;
  /** The folder of the archives. */
  readonly archives: string;
  readonly environment: Record<string, string>;
  /** Makes a backup that is restored elsewhere and compared. */
  backup(args?: readonly string[], now?: number): Promise<CheckedBackup>;
  /** Runs `backup` and nothing else. */
  run(...args: string[]): Promise<CommandResult>;
  restore(...args: string[]): Promise<CommandResult>;
  /** Stores a file that an upload refers to; returns its path. */
  addFile(text: string): Promise<string>;
  /** Names of the archives. */
  names(): string[];
}

/** Runs a test on a data folder with a page, two files and a key. */
export async function withBackups(test: (desk: BackupDesk) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const data = `${folder}/data`;
  const archives = `${folder}/archives`;
  const variables: Record<string, string> = { RECTO_DATA_DIR: data, RECTO_BACKUP_TO: archives };
  const environment = (name: string) => variables[name];
  const desk: BackupDesk = {
    folder,
    data,
    archives,
    environment: variables,
    backup: (args = [], now = Date.now()) => backUpAndRestore(args, { environment, folder, now }),
    run: (...args) => backup(args, { environment, now: Date.now() }),
    restore: (...args) => restore(args, { environment }),
    addFile: (text) => addFile(data, text),
    names: () => namesIn(archives),
  };
  try {
    const store = openSqliteStore(`${data}/recto.db`);
    await done(store, insert(page("p")));
    await store.close();
    await openLocalIssuer({ folder: data });
    for (const text of ["one", "two"]) await desk.addFile(text);
    await test(desk);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Names in a folder, sorted; none if it is not there. */
export function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

async function addFile(data: string, text: string): Promise<string> {
  const hash = createHash("sha256").update(text).digest("hex");
  // As the service names them.
  const blob = `${hash}-${crypto.randomUUID()}`;
  const path = createPaths(`${data}/files`).blob(W, blob);
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  await Deno.writeTextFile(path, text);
  runOn(
    `${data}/recto.db`,
    `INSERT INTO uploads (workspace_id, id, status, filename, content_type, content_length, blob, hash,
       created_time, created_by, life)
     VALUES ('${W}', '${
      blob.slice(-36)
    }', 'uploaded', 'a', 'text/plain', ${text.length}, '${blob}', '${hash}',
       1, 'ann', 1)`,
  );
  return path;
}
