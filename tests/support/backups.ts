/**
 * Backups of tests: each one is restored elsewhere and compared.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { backup } from "../../src/cli/backup.ts";
import { restore } from "../../src/cli/restore.ts";
import type { CommandResult } from "../../src/cli/result.ts";
import type { Environment } from "../../src/config/config.ts";
import { createPaths } from "../../src/files/disk/paths.ts";
import { assert, assertEquals } from "../assert.ts";
import { rowsOf } from "../store/sqlite/files.ts";

export interface CheckedBackup extends CommandResult {
  /** Path or URL of the archive. */
  readonly archive: string;
  /** Data folder that it was restored to; the caller's folder holds it. */
  readonly restored: string;
}

export interface BackupTestOptions {
  readonly environment: Environment;
  /** A folder that the test deletes. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly now?: number;
}

/** Runs `backup`; restores what it made, and compares it with the archive and with itself. */
export async function backUpAndRestore(
  args: readonly string[],
  { environment, folder, now = Date.now() }: BackupTestOptions,
): Promise<CheckedBackup> {
  const result = await backup(args, { environment, now });
  const [, archive = ""] = /^Wrote and checked (\S+): /.exec(result.stdout) ?? [];
  const restored = `${folder}/restored-${crypto.randomUUID()}`;
  if (archive === "") return { ...result, archive, restored };
  const keyAt = args.indexOf("--key-file");
  const key = keyAt < 0 ? [] : args.slice(keyAt, keyAt + 2);
  const { code, stderr } = await restore([archive, "--to", restored, ...key], { environment });
  assertEquals([code, stderr], [0, ""]);
  await assertSound(restored, result.code === 0);
  if (archive.endsWith(".tar") && !archive.startsWith("s3:")) await assertSame(archive, restored);
  return { ...result, archive, restored };
}

/** Whatever the database names is there, with the bytes that it had. */
async function assertSound(folder: string, isComplete: boolean): Promise<void> {
  const path = `${folder}/recto.db`;
  assertEquals(rowsOf(path, "PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
  assertEquals(rowsOf(path, "PRAGMA foreign_key_check"), []);
  const paths = createPaths(`${folder}/files`);
  const uploads = rowsOf(
    path,
    "SELECT workspace_id, blob, hash FROM uploads WHERE status = 'uploaded' AND hash IS NOT NULL",
  );
  for (const { workspace_id, blob, hash } of isComplete ? uploads : []) {
    const bytes = await Deno.readFile(paths.blob(String(workspace_id), String(blob)));
    assertEquals(createHash("sha256").update(bytes).digest("hex"), hash);
  }
}

/** A restored folder has the very bytes that another program finds in the archive. */
async function assertSame(archive: string, restored: string): Promise<void> {
  const folder = `${restored}-tar`;
  await Deno.mkdir(folder);
  const command = new Deno.Command("tar", { args: ["-xf", archive, "-C", folder] });
  const { code, stderr } = await command.output();
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  for await (const name of filesIn(folder)) {
    if (/^(?:manifest|checksums|bucket)/.test(name)) continue;
    const own = name === "database.sqlite" ? "recto.db" : name;
    const [theirs, ours] = [`${folder}/${name}`, `${restored}/${own}`];
    assertEquals(await hashOf(ours), await hashOf(theirs), name);
  }
  assert(await hashOf(`${folder}/manifest.json`) !== undefined);
}

async function hashOf(path: string): Promise<string> {
  return createHash("sha256").update(await Deno.readFile(path)).digest("hex");
}

/** Paths of all files below a folder. */
export async function* filesIn(folder: string, below = ""): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(`${folder}/${below}`)) {
    if (isDirectory) yield* filesIn(folder, `${below}${name}/`);
    else yield `${below}${name}`;
  }
}
