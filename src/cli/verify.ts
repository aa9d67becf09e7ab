/**
 * `recto verify`: checks the database and the files for damage, without changing them.
 *
 * @module
 */
import { type Environment, readConfig } from "../config/config.ts";
import type { Findings } from "../store/document_check.ts";
import { exists } from "../store/sqlite/file.ts";
import { attempt, type CommandResult, conclude, failure, onDatabase } from "./command.ts";
import { runCommandLine } from "./options.ts";
import { createMeasure, verifyFiles } from "./verify_files.ts";

const USAGE = `Usage: recto verify

Checks the database at DATABASE_URL: the structure of a SQLite file with its indexes, every stored
document against its checksum, and that what rows, links, comments and files refer to exists. Then
it reads every uploaded file on disk and compares size and SHA-256; of files in a bucket it compares
the size. Lists what is damaged. The server may be running; the command writes nothing.

Exit codes: 0 no damage, 1 the check failed, 2 wrong usage, 3 damage found.
`;
const OLD_SCHEMA = "The schema is older than this release: run `recto migrate` first\n";

/** Checks the environment's database and files. */
export function verify(
  args: readonly string[],
  { environment }: { readonly environment: Environment },
): Promise<CommandResult> {
  return runCommandLine(
    { usage: USAGE, values: [] },
    args,
    () => attempt("verify", () => verifyDatabase(environment)),
  );
}

async function verifyDatabase(environment: Environment): Promise<CommandResult> {
  const { database, ...config } = readConfig(environment);
  if (database.kind === "sqlite" && !await exists(database.path)) {
    return failure(1, `No such database: ${database.path}\n`);
  }
  const findings: Findings = { documents: 0, unchecked: 0, damage: [] };
  let files = 0;
  const isCurrent = await onDatabase(database, ({ verify }) =>
    verify(findings, async (read) => {
      files = await verifyFiles({ read, measure: await createMeasure(config) }, findings.damage);
    }));
  return isCurrent ? report(findings, files) : failure(1, OLD_SCHEMA);
}

function report({ documents, unchecked, damage }: Findings, files: number): CommandResult {
  const rest = unchecked === 0 ? "" : ` (${unchecked} have no checksum yet)`;
  const stdout = `Checked ${documents} documents${rest} and ${files} files: ${
    damage.length === 0 ? "nothing is damaged" : "something is damaged"
  }\n`;
  return {
    code: damage.length === 0 ? 0 : 3,
    stdout,
    stderr: damage.map((finding) => `${finding}\n`).join(""),
  };
}

if (import.meta.main) {
  const environment = (name: string) => Deno.env.get(name);
  await conclude(await verify(Deno.args, { environment }));
}
