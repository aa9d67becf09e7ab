/**
 * `recto restore`: puts a backup in place of what a service stores.
 *
 * @module
 */
import { type Environment } from "../config/config.ts";
import { exists } from "../store/sqlite/file.ts";
import { bytesOf } from "./admin/context.ts";
import {
  archiveAt,
  type ChosenArchive,
  describeArchives,
  namedArchive,
  parseTime,
  splitArchive,
} from "./backup/choose_archive.ts";
import { configWith, readKey } from "./backup/context.ts";
import { openPlace } from "./backup/place.ts";
import { restoreBackup } from "./backup/restore_backup.ts";
import { attempt, type CommandResult, conclude, failure } from "./command.ts";
import { type Options, runCommandLine, UsageError } from "./options.ts";

const USAGE = `Usage: recto restore ARCHIVE [--to DIR] [--replace] [--key-file KEY]
       recto restore --at TIME [--from PLACE] [--to DIR] [--replace] [--key-file KEY]
       recto restore --list [--from PLACE]

Checks a backup of \`recto backup\`, then puts the database, the files and the local issuer's key in
place. ARCHIVE is a path or s3://BUCKET/PREFIX/NAME; a database file of an earlier release is taken,
too. Stop the server first.

  --at        take the latest backup that was made by this time, such as 2026-11-22T10:00, in UTC
  --list      list the backups, and restore nothing
  --from      folder or s3://BUCKET/PREFIX that has them (default: RECTO_BACKUP_TO, or backups)
  --to        data folder to restore to (default: RECTO_DATA_DIR)
  --replace   overwrite content, which is lost
  --key-file  file with the AGE-SECRET-KEY-1… of encrypted backups (default: RECTO_BACKUP_KEY)
`;

export interface RestoreContext {
  readonly environment: Environment;
}

/** Runs `restore`. */
export function restore(args: readonly string[], context: RestoreContext): Promise<CommandResult> {
  const commandLine = {
    usage: USAGE,
    values: ["at", "from", "to", "key-file"],
    flags: ["list", "replace"],
    words: [0, 1],
  } as const;
  return runCommandLine(commandLine, args, (options) => {
    assertOneSource(options);
    const { values, flags, positionals: [archive] } = options;
    const at = values.get("at");
    const time = at === undefined ? undefined : parseTime(at);
    return flags.has("list")
      ? attempt("list backups", () => list(values.get("from"), context))
      : attempt("restore", () => run({ archive, time }, options, context));
  });
}

function assertOneSource({ values, flags, positionals }: Options): void {
  const sources = [positionals.length > 0, values.has("at"), flags.has("list")].filter(Boolean);
  if (sources.length !== 1) throw new UsageError("Name one of ARCHIVE, --at and --list");
  if (positionals.length > 0 && values.has("from")) {
    throw new UsageError("--from goes with --at or --list");
  }
}

async function list(
  from: string | undefined,
  { environment }: RestoreContext,
): Promise<CommandResult> {
  const { backups } = configWith(environment, {
    ...(from !== undefined && { RECTO_BACKUP_TO: from }),
  });
  const place = openPlace(backups.to);
  const archives = await place.list();
  const stdout = archives.length === 0
    ? `There is no backup in ${place.describe("")}\n`
    : describeArchives(archives, bytesOf);
  return { code: 0, stdout, stderr: "" };
}

/** Names an archive by its path or URL, or by the time of which it is the latest. */
interface Source {
  readonly archive: string | undefined;
  readonly time: number | undefined;
}

async function run(
  { archive, time }: Source,
  options: Options,
  { environment }: RestoreContext,
): Promise<CommandResult> {
  const { values, flags } = options;
  const from = archive === undefined ? values.get("from") : splitArchive(archive).place;
  const to = values.get("to");
  const config = configWith(environment, {
    ...(from !== undefined && { RECTO_BACKUP_TO: from }),
    ...(to !== undefined && elsewhere(to, environment)),
  });
  const key = await readKey(options, config);
  const target = config.backups.to;
  if (archive !== undefined && target.kind === "folder" && !await exists(archive)) {
    return failure(1, `No such backup: ${archive}\n`);
  }
  const chosen: ChosenArchive = archive === undefined
    ? await archiveAt(target, time ?? 0)
    : namedArchive(archive, target);
  const label = chosen.place.describe(chosen.name);
  const source = await chosen.place.open(chosen.name);
  const replace = flags.has("replace");
  const { notes } = await restoreBackup(source, { config, key, label, replace });
  return {
    code: 0,
    stdout: `Restored ${label} to ${placeOf(config)}\n` +
      notes.map((note) => `Note: ${note}\n`).join(""),
    stderr: "",
  };
}

/** Variables with which a SQLite database, files and keys are in another folder. */
function elsewhere(folder: string, environment: Environment): Record<string, string> {
  const isServer = /^postgres(?:ql)?:/.test(environment("DATABASE_URL") ?? "");
  return {
    RECTO_DATA_DIR: folder,
    ...(!isServer && { DATABASE_URL: `sqlite:${folder}/recto.db` }),
  };
}

function placeOf(
  { database, dataDir }: Parameters<typeof restoreBackup>[1]["config"],
): string {
  return database.kind === "sqlite" ? dataDir : `DATABASE_URL and ${dataDir}`;
}

if (import.meta.main) {
  const environment = (name: string) => Deno.env.get(name);
  await conclude(await restore(Deno.args, { environment }));
}
