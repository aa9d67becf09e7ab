/**
 * `deno task restore`: replaces the SQLite database by a backup.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { type Environment, readConfig } from "../config/config.ts";
import { restore as restoreFile } from "../store/sqlite/backup.ts";
import { exists } from "../store/sqlite/file.ts";
import { attempt, type CommandResult, conclude, failure } from "./command.ts";

const USAGE = `Usage: deno task restore FILE [--replace]

Checks a backup of \`deno task backup\`, and copies it to the path of the SQLite database. Stop the
server first.

  --replace  overwrite a database that has content, which is lost
`;
const ON_POSTGRES = "The database is PostgreSQL: restore it with pg_restore\n";

/** Restores the environment's database. */
export async function restore(
  args: readonly string[],
  { environment }: { readonly environment: Environment },
): Promise<CommandResult> {
  const request = parseRequest(args);
  if (request === undefined) return failure(2, USAGE);
  const { file, replace } = request;
  return await attempt("restore", async () => {
    const { database, dataDir, files } = readConfig(environment);
    if (database.kind === "postgres") return failure(1, ON_POSTGRES);
    if (!await exists(file)) return failure(1, `No such backup: ${file}\n`);
    await restoreFile(file, database.path, { replace });
    const next = files.s3 === undefined ? `Now copy the uploaded files to ${dataDir}/files\n` : "";
    return { code: 0, stdout: `Restored ${database.path} from ${file}\n${next}`, stderr: "" };
  });
}

interface Request {
  readonly file: string;
  readonly replace: boolean;
}

/** Returns undefined if the arguments are wrong. */
function parseRequest(args: readonly string[]): Request | undefined {
  const options = { replace: { type: "boolean", default: false } } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
    });
    const [file, ...more] = positionals;
    return file === undefined || more.length > 0 ? undefined : { file, replace: values.replace };
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const environment = (name: string) => Deno.env.get(name);
  await conclude(await restore(Deno.args, { environment }));
}
