/**
 * How commands beside the server end.
 *
 * @module
 */
import { loadDatabase } from "../app/database.ts";
import { type Config, ConfigError } from "../config/config.ts";
import type { Database } from "../store/database.ts";
import { OperatorError } from "../store/operator_error.ts";

/** What a command prints and ends with: 0 good, 1 refused, 2 called wrongly, 3 damage was found. */
export interface CommandResult {
  readonly code: 0 | 1 | 2 | 3;
  readonly stdout: string;
  readonly stderr: string;
}

export function refusal(code: 1 | 2, stderr: string): CommandResult {
  return { code, stdout: "", stderr };
}

/**
 * Runs a command; where its surroundings fail it, the result says so in sentences: `Cannot copy: …`.
 * Rejects with what is a mistake of ours.
 */
export async function attempt(
  verb: string,
  command: () => Promise<CommandResult>,
): Promise<CommandResult> {
  try {
    return await command();
  } catch (error) {
    if (!isFromOutside(error)) throw error;
    return refusal(1, `Cannot ${verb}:\n${issuesOf(error).map((one) => `  - ${one}\n`).join("")}`);
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

/** Runs work on PostgreSQL; if the server fails it, the error names `DATABASE_URL`. */
export async function onServer<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isFromOutside(error) || isOurs(error) || isSqlite(error)) throw error;
    throw new OperatorError(
      `DATABASE_URL cannot be used: ${error.message}. Check that the server runs there, and that ` +
        "user, password and database are right",
      { cause: error },
    );
  }
}

/** Prints a result; the process ends with its code. */
export async function conclude({ code, stdout, stderr }: CommandResult): Promise<void> {
  const encoder = new TextEncoder();
  await Deno.stdout.write(encoder.encode(stdout));
  await Deno.stderr.write(encoder.encode(stderr));
  Deno.exitCode = code;
}

/** Whether this was thrown by the system, a database or Deno's permissions: those name a code. */
function isFromOutside(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return isOurs(error) || ("code" in error && typeof error.code === "string") ||
    Object.values(Deno.errors).some((kind) => error instanceof kind);
}

function isOurs(error: Error): boolean {
  return error instanceof ConfigError || error instanceof OperatorError || isNotCapable(error);
}

function isSqlite(error: Error): boolean {
  return "code" in error && error.code === "ERR_SQLITE_ERROR";
}

/** Told by its name: what node:sqlite throws is not of Deno's class. */
function isNotCapable({ name }: Error): boolean {
  return name === "NotCapable";
}

function issuesOf(error: Error): readonly string[] {
  if (error instanceof ConfigError) return error.issues;
  if (isNotCapable(error)) {
    const [need] = error.message.split(", run again");
    return [`${need}: start commands with \`deno task\`, which permits what the settings name`];
  }
  return [isSqlite(error) ? `The SQLite database cannot be used: ${error.message}` : error.message];
}
