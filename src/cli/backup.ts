/**
 * `recto backup`: writes a copy of the SQLite database to a new file.
 *
 * @module
 */
import { type Environment, readConfig } from "../config/config.ts";
import { backUp } from "../store/sqlite/backup.ts";
import { exists } from "../store/sqlite/file.ts";
import { attempt, type CommandResult, conclude, failure } from "./command.ts";
import { runCommandLine } from "./options.ts";

const USAGE = `Usage: recto backup FILE

Writes a consistent copy of the SQLite database to a new file in backups/, and checks it. The server
may be running. The backup does not include uploaded files: copy them afterwards.
`;
const ON_POSTGRES = "The database is PostgreSQL: back it up with pg_dump\n";

/** Backs up the environment's database. */
export function backup(
  args: readonly string[],
  { environment }: { readonly environment: Environment },
): Promise<CommandResult> {
  const commandLine = { usage: USAGE, values: [], words: [1, 1] } as const;
  return runCommandLine(
    commandLine,
    args,
    ({ positionals: [file = ""] }) =>
      attempt("back up", async () => {
        const { database, dataDir, files } = readConfig(environment);
        if (database.kind === "postgres") return failure(1, ON_POSTGRES);
        if (!await exists(database.path)) return failure(1, `No such database: ${database.path}\n`);
        if (await exists(file)) return failure(1, `The file already exists: ${file}\n`);
        await backUp(database.path, file);
        const { size } = await Deno.stat(file);
        const next = files.s3 === undefined
          ? `Now copy the uploaded files: ${dataDir}/files\n`
          : "";
        return { code: 0, stdout: `Wrote and checked ${file}: ${size} bytes\n${next}`, stderr: "" };
      }),
  );
}

if (import.meta.main) {
  const environment = (name: string) => Deno.env.get(name);
  await conclude(await backup(Deno.args, { environment }));
}
