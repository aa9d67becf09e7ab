/**
 * `recto vacuum`: gives the space of deleted rows back.
 *
 * @module
 */
import { type Environment, readConfig } from "../config/config.ts";
import { exists } from "../store/sqlite/file.ts";
import { bytesOf } from "./admin/context.ts";
import { attempt, type CommandResult, conclude, failure, onDatabase } from "./command.ts";
import { runCommandLine } from "./options.ts";

const USAGE = `Usage: recto vacuum

Gives the space of deleted rows back. A SQLite file is written anew: stop the server first, and have
as much free disk as the file is large. A file that an older release created needs this once; from then
on the server gives space back while it runs. PostgreSQL uses the space for other rows; the server may
be running.
`;

/** Vacuums the environment's database. */
export function vacuum(
  args: readonly string[],
  { environment }: { readonly environment: Environment },
): Promise<CommandResult> {
  return runCommandLine(
    { usage: USAGE, values: [] },
    args,
    () => attempt("vacuum", () => vacuumDatabase(environment)),
  );
}

async function vacuumDatabase(environment: Environment): Promise<CommandResult> {
  const { database } = readConfig(environment);
  if (database.kind === "sqlite" && !await exists(database.path)) {
    return failure(1, `No such database: ${database.path}\n`);
  }
  const size = async () =>
    database.kind === "sqlite" ? (await Deno.stat(database.path)).size : undefined;
  const before = await size();
  await onDatabase(database, ({ vacuum }) => vacuum());
  const after = await size();
  const report = before === undefined || after === undefined
    ? "Space of deleted rows is free for others\n"
    : `${bytesOf(before)} before, ${bytesOf(after)} now\n`;
  return { code: 0, stdout: report, stderr: "" };
}

if (import.meta.main) {
  await conclude(await vacuum(Deno.args, { environment: (name) => Deno.env.get(name) }));
}
