/**
 * `recto restore`: replaces the SQLite database by a backup.
 *
 * @module
 */
import { type Environment, readConfig } from "../config/config.ts";
import { restore as restoreFile } from "../store/sqlite/backup.ts";
import { exists } from "../store/sqlite/file.ts";
import { attempt, type CommandResult, conclude, failure } from "./command.ts";
import { runCommandLine } from "./options.ts";

const USAGE = `Usage: recto restore FILE [--replace]

Checks a backup of \`recto backup\`, and copies it to the path of the SQLite database. Stop the
server first.

  --replace  overwrite a database that has content, which is lost
`;
const ON_POSTGRES = "The database is PostgreSQL: restore it with pg_restore\n";

/** Restores the environment's database. */
export function restore(
  args: readonly string[],
  { environment }: { readonly environment: Environment },
): Promise<CommandResult> {
  const commandLine = { usage: USAGE, values: [], flags: ["replace"], words: [1, 1] } as const;
  return runCommandLine(
    commandLine,
    args,
    ({ positionals: [file = ""], flags }) =>
      attempt("restore", async () => {
        const replace = flags.has("replace");
        const { database, dataDir, files } = readConfig(environment);
        if (database.kind === "postgres") return failure(1, ON_POSTGRES);
        if (!await exists(file)) return failure(1, `No such backup: ${file}\n`);
        await restoreFile(file, database.path, { replace });
        const next = files.s3 === undefined
          ? `Now copy the uploaded files to ${dataDir}/files\n`
          : "";
        return { code: 0, stdout: `Restored ${database.path} from ${file}\n${next}`, stderr: "" };
      }),
  );
}

if (import.meta.main) {
  const environment = (name: string) => Deno.env.get(name);
  await conclude(await restore(Deno.args, { environment }));
}
