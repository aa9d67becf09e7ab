/**
 * `deno task migrate`: brings the database schema up to date, or shows what would run.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { type Environment, readConfig } from "../config/config.ts";
import type { Migration } from "../store/migrate.ts";
import { attempt, type CommandResult, conclude, failure, onDatabase } from "./command.ts";

const USAGE = `Usage: deno task migrate [--plan]

Brings the schema of the database at DATABASE_URL up to date. The server does the same when it
starts.

  --plan  show what would run, without changing anything
`;

/** Plans or runs the migrations of the environment's database. */
export async function migrate(
  args: readonly string[],
  { environment }: { readonly environment: Environment },
): Promise<CommandResult> {
  const isPlan = parseFlags(args);
  if (isPlan === undefined) return failure(2, USAGE);
  return await attempt("migrate", async () => {
    const { database } = readConfig(environment);
    const migrations = await onDatabase(
      database,
      ({ planMigrations, migrate }) => isPlan ? planMigrations() : migrate(),
    );
    return { code: 0, stdout: report(migrations, isPlan ? "Would run" : "Ran"), stderr: "" };
  });
}

/** Returns whether `--plan` is set; undefined if the arguments are wrong. */
function parseFlags(args: readonly string[]): boolean | undefined {
  try {
    return parseArgs({ args: [...args], options: { plan: { type: "boolean" } } }).values.plan ??
      false;
  } catch {
    return undefined;
  }
}

function report(migrations: readonly Migration[], verb: string): string {
  if (migrations.length === 0) return "The schema is up to date\n";
  return migrations.map(({ name }) => `${verb} ${name}\n`).join("");
}

if (import.meta.main) {
  const environment = (name: string) => Deno.env.get(name);
  await conclude(await migrate(Deno.args, { environment }));
}
