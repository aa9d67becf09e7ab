/**
 * `recto backup`: writes one archive with everything that a service stores.
 *
 * @module
 */
import { type Environment } from "../config/config.ts";
import { exists } from "../store/sqlite/file.ts";
import { bytesOf } from "./admin/context.ts";
import { checkBackup } from "./backup/check_backup.ts";
import { namedArchive, splitArchive } from "./backup/choose_archive.ts";
import { configWith, readKey } from "./backup/context.ts";
import { createBackup, type FinishedBackup } from "./backup/create_backup.ts";
import { createBackupKey } from "./backup/encryption.ts";
import type { Manifest } from "./backup/manifest.ts";
import { archiveName, openPlace } from "./backup/place.ts";
import { openScratch } from "./backup/scratch.ts";
import { recordBackup } from "./backup/status.ts";
import { attempt, type CommandResult, conclude, failure } from "./command.ts";
import { type Options, runCommandLine, UsageError } from "./options.ts";

const USAGE = `Usage: recto backup [FILE] [--to PLACE] [--keep N] [--key-file KEY]
       recto backup verify ARCHIVE [--key-file KEY]
       recto backup key

Writes one archive with the database, the uploaded files and the local issuer's key, checks it, and
names it by the time, or FILE. Of files in a bucket it has a list. The server may be running.

verify  check an archive, and restore nothing
key     print a new key for --key-file or RECTO_BACKUP_KEY

  --to        folder, or s3://BUCKET/PREFIX with RECTO_S3_… (default: RECTO_BACKUP_TO, or backups)
  --keep      number of archives that remain; the oldest are deleted (default: RECTO_BACKUP_KEEP, or all)
  --key-file  encrypt with the key in this file (default: RECTO_BACKUP_KEY, or do not encrypt)

Exit codes: 0 success, 1 failure, 2 wrong usage, 3 files are missing that the database names.
`;

export interface BackupContext {
  readonly environment: Environment;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Runs `backup`. */
export function backup(args: readonly string[], context: BackupContext): Promise<CommandResult> {
  const commandLine = { usage: USAGE, values: ["to", "keep", "key-file"], words: [0, 2] } as const;
  return runCommandLine(commandLine, args, (options) => {
    const [first, second, third] = options.positionals;
    if (first === "verify" && second !== undefined) {
      return attempt("verify", () => verify(second, options, context));
    }
    if (first === "key" && second === undefined) return printKey();
    if (first === "verify") throw new UsageError("Name the archive to verify");
    if (second ?? third) throw new UsageError(`Unexpected argument: ${second}`);
    return attempt("back up", () => write(first, options, context));
  });
}

async function write(
  file: string | undefined,
  options: Options,
  { environment, now }: BackupContext,
): Promise<CommandResult> {
  const { values } = options;
  if (file !== undefined && values.has("to")) throw new UsageError("Name FILE or --to, not both");
  const to = file === undefined ? values.get("to") : splitArchive(file).place;
  const keep = values.get("keep");
  const config = configWith(environment, {
    ...(to !== undefined && { RECTO_BACKUP_TO: to }),
    ...(keep !== undefined && { RECTO_BACKUP_KEEP: keep }),
  });
  const key = await readKey(options, config);
  const name = file === undefined ? archiveName(now, key !== undefined) : splitArchive(file).name;
  const { keep: kept, to: target } = config.backups;
  const started = performance.now();
  try {
    const made = await createBackup({
      config,
      key,
      now,
      name,
      place: openPlace(target),
      keep: file === undefined ? kept : undefined,
    });
    const seconds = (performance.now() - started) / 1_000;
    // Whoever watches backups has to look if files are lost.
    await recordBackup(
      config.dataDir,
      made.files.missing === 0
        ? { lastSuccess: now, size: made.size, seconds }
        : { lastFailure: now },
    );
    return report(made, seconds);
  } catch (error) {
    await recordBackup(config.dataDir, { lastFailure: now });
    throw error;
  }
}

function report(
  { place, size, files, pruned, later }: FinishedBackup,
  seconds: number,
): CommandResult {
  const { count, missing } = files;
  const note = later.length === 0
    ? ""
    : `Later than this backup, so neither counted nor deleted: ${
      later.join(", ")
    }. Check the clock, ` +
      "and delete what has a wrong time\n";
  return {
    code: missing === 0 ? 0 : 3,
    stdout: `Wrote and checked ${place}: ${bytesOf(size)}, ${describeFiles(files)}, ` +
      `in ${seconds.toFixed(1)} s\n${pruned.map((one) => `Deleted ${one}\n`).join("")}`,
    stderr: missing === 0
      ? note
      : `${missing} files that the database names are missing (${count} are there). No older backup ` +
        "was deleted\n",
  };
}

function describeFiles({ store, count, bytes }: Manifest["files"]): string {
  const what = `${count} ${count === 1 ? "file" : "files"} (${bytesOf(bytes)})`;
  return store === "disk" ? what : `a list of ${what} in the bucket`;
}

async function verify(
  archive: string,
  options: Options,
  { environment }: BackupContext,
): Promise<CommandResult> {
  const config = configWith(environment, { RECTO_BACKUP_TO: splitArchive(archive).place });
  if (config.backups.to.kind === "folder" && !await exists(archive)) {
    return failure(1, `No such backup: ${archive}\n`);
  }
  const key = await readKey(options, config);
  const { place, name } = namedArchive(archive, config.backups.to);
  await using scratch = await openScratch(config.dataDir);
  const manifest = await checkBackup(await place.open(name), {
    key,
    scratch: scratch.path,
    label: archive,
  });
  return { code: 0, stdout: `${archive} is sound: ${describe(manifest)}\n`, stderr: "" };
}

/** Describes an archive, or the database file of an earlier release. */
function describe(manifest: Manifest | undefined): string {
  if (manifest === undefined) return "a SQLite database, without files";
  const { time, recto, database, files } = manifest;
  const kind = database === "sqlite" ? "SQLite" : "PostgreSQL";
  return `made ${time.slice(0, 19)}Z by Recto ${recto}, ${kind}, ${describeFiles(files)}`;
}

async function printKey(): Promise<CommandResult> {
  const { recipient, identity } = await createBackupKey();
  return {
    code: 0,
    stdout: `${identity}\n`,
    stderr: `Its public key is ${recipient}\n` +
      "Keep the key apart from the backups: without it they cannot be read. The public key is enough " +
      "to make backups, and reads none\n",
  };
}

if (import.meta.main) {
  const environment = (name: string) => Deno.env.get(name);
  await conclude(await backup(Deno.args, { environment, now: Date.now() }));
}
