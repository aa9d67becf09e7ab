/**
 * `deno task migrate`: brings the database schema up to date, or shows what would run.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { type Config, type Environment, readConfig } from "../config/config.ts";
import type { Migration } from "../store/migrate.ts";
import * as postgresConnection from "../store/postgres/connection.ts";
import * as postgres from "../store/postgres/migrations.ts";
import * as sqliteConnection from "../store/sqlite/connection.ts";
import { exists } from "../store/sqlite/file.ts";
import * as sqlite from "../store/sqlite/migrations.ts";
import { attempt, type CommandResult, conclude, failure, onServer } from "./command.ts";

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
    const migrations = await (isPlan ? plan(database) : run(database));
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

async function plan(database: Config["database"]): Promise<readonly Migration[]> {
  if (database.kind === "postgres") return await onPostgres(database, postgres.planMigrations);
  // Opening the file would create it.
  if (!await exists(database.path)) return sqlite.MIGRATIONS;
  return onSqlite(database.path, sqlite.planMigrations);
}

async function run(database: Config["database"]): Promise<readonly Migration[]> {
  if (database.kind === "postgres") {
    return await onPostgres(database, (connection) => postgres.migrate(connection));
  }
  return onSqlite(database.path, (connection) => sqlite.migrate(connection));
}

function onSqlite<T>(path: string, work: (connection: sqliteConnection.Connection) => T): T {
  const connection = sqliteConnection.openConnection(path);
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

async function onPostgres<T>(
  options: postgresConnection.ConnectionOptions,
  work: (connection: postgresConnection.Connection) => Promise<T>,
): Promise<T> {
  const connection = postgresConnection.openConnection(options);
  try {
    return await onServer(() => work(connection));
  } finally {
    await connection.close();
  }
}

if (import.meta.main) {
  const environment = (name: string) => Deno.env.get(name);
  await conclude(await migrate(Deno.args, { environment }));
}
