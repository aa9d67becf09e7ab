/**
 * `recto migrate`: brings the database schema up to date, or shows what would run.
 *
 * @module
 */
import { type Environment, readConfig } from "../config/config.ts";
import type { Migration } from "../store/migrate.ts";
import { attempt, type CommandResult, conclude, onDatabase } from "./command.ts";
import { runCommandLine } from "./options.ts";

const USAGE = `Usage: recto migrate [--plan]

Brings the schema of the database at DATABASE_URL up to date. The server does the same when it
starts.

  --plan  show what would run, without changing anything
`;

/** Plans or runs the migrations of the environment's database. */
export function migrate(
  args: readonly string[],
  { environment }: { readonly environment: Environment },
): Promise<CommandResult> {
  const commandLine = { usage: USAGE, values: [], flags: ["plan"] };
  return runCommandLine(commandLine, args, ({ flags }) =>
    attempt("migrate", async () => {
      const isPlan = flags.has("plan");
      const { database } = readConfig(environment);
      const migrations = await onDatabase(
        database,
        ({ planMigrations, migrate }) => isPlan ? planMigrations() : migrate(),
      );
      return { code: 0, stdout: report(migrations, isPlan ? "Would run" : "Ran"), stderr: "" };
    }));
}

function report(migrations: readonly Migration[], verb: string): string {
  if (migrations.length === 0) return "The schema is up to date\n";
  return migrations.map(({ name }) => `${verb} ${name}\n`).join("");
}

if (import.meta.main) {
  const environment = (name: string) => Deno.env.get(name);
  await conclude(await migrate(Deno.args, { environment }));
}
