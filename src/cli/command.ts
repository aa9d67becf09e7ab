/**
 * The results of commands, and how their errors are reported.
 *
 * @module
 */
import { loadDatabase } from "../app/database.ts";
import { type Config, ConfigError } from "../config/config.ts";
import type { Database } from "../store/database.ts";
import { OperatorError } from "../store/operator_error.ts";
import { type CommandResult, conclude, failure } from "./result.ts";

export { type CommandResult, conclude, failure };

/**
 * Runs a command. Reports errors of its environment in the result, as `Cannot copy: …`. Rejects with
 * programming errors.
 */
export async function attempt(
  verb: string,
  command: () => Promise<CommandResult>,
): Promise<CommandResult> {
  try {
    return await command();
  } catch (error) {
    if (!isEnvironmental(error)) throw error;
    return failure(1, `Cannot ${verb}:\n${issuesOf(error).map((one) => `  - ${one}\n`).join("")}`);
  }
}

/** Runs work on the configured database. */
export async function onDatabase<T>(
  config: Config["database"],
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await loadDatabase(config);
  return config.kind === "postgres" ? await onServer(() => work(database)) : await work(database);
}

/** Runs work on PostgreSQL; reports its errors as errors of `DATABASE_URL`. */
export async function onServer<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isEnvironmental(error) || isOperatorError(error) || isSqlite(error)) throw error;
    throw new OperatorError(
      `DATABASE_URL cannot be used: ${error.message}. Check that the server is running, and that ` +
        "user, password and database are correct",
      { cause: error },
    );
  }
}

/** Returns whether the system, a database or Deno's permissions caused an error: these have a code. */
function isEnvironmental(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return isOperatorError(error) || ("code" in error && typeof error.code === "string") ||
    Object.values(Deno.errors).some((kind) => error instanceof kind);
}

function isOperatorError(error: Error): boolean {
  return error instanceof ConfigError || error instanceof OperatorError || isNotCapable(error);
}

function isSqlite(error: Error): boolean {
  return "code" in error && error.code === "ERR_SQLITE_ERROR";
}

/** Compares the name, because node:sqlite does not throw Deno's class. */
function isNotCapable({ name }: Error): boolean {
  return name === "NotCapable";
}

function issuesOf(error: Error): readonly string[] {
  if (error instanceof ConfigError) return error.issues;
  if (isNotCapable(error)) {
    const [need] = error.message.split(", run again");
    return [`${need}: run commands with \`recto\`, which grants the permissions they need`];
  }
  return [isSqlite(error) ? `The SQLite database cannot be used: ${error.message}` : error.message];
}
