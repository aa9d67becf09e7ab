/**
 * `deno task restore`: puts a backup where the server looks for its SQLite database.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { type Environment, readConfig } from "../config/config.ts";
import { restore as restoreFile } from "../store/sqlite/backup.ts";
import { exists } from "../store/sqlite/file.ts";
import { attempt, type CommandResult, conclude, refusal } from "./command.ts";

const USAGE = `Usage: deno task restore FILE [--replace]

Checks a file that \`deno task backup\` wrote, and puts a copy of it where the server looks for its
SQLite database. Stop the server first.

  --replace  also where there is content already, which is lost
`;
const ON_POSTGRES = "DATABASE_URL names PostgreSQL: restore it with pg_restore\n";

/** Restores the environment's database. */
export async function restore(
  args: readonly string[],
  { environment }: { readonly environment: Environment },
): Promise<CommandResult> {
  const request = parseRequest(args);
  if (request === undefined) return refusal(2, USAGE);
  const { file, replace } = request;
  return await attempt("restore", async () => {
    const { database, dataDir, files } = readConfig(environment);
    if (database.kind === "postgres") return refusal(1, ON_POSTGRES);
    if (!await exists(file)) return refusal(1, `There is no backup: ${file}\n`);
    await restoreFile(file, database.path, { replace });
    const next = files.s3 === undefined ? `Uploaded files belong in ${dataDir}/files\n` : "";
    return { code: 0, stdout: `Restored ${database.path} from ${file}\n${next}`, stderr: "" };
  });
}

interface Request {
  readonly file: string;
  readonly replace: boolean;
}

/** Undefined where the arguments are wrong. */
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
