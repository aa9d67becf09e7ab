/**
 * `recto copy`: copies all content from one database to another.
 *
 * @module
 */
import { loadDatabase } from "../app/database.ts";
import { type Config, type Environment, readConfig } from "../config/config.ts";
import type { Archive, Role } from "../store/copy/archive.ts";
import { type Copied, copyAll, type Progress } from "../store/copy/copy.ts";
import { attempt, type CommandResult, conclude, failure, onServer } from "./command.ts";
import { type Options, runCommandLine, UsageError } from "./options.ts";

const USAGE = `Usage: recto copy --from sqlite --to postgres
       recto copy --from postgres --to sqlite

Copies the content of one database to another, and compares the two row by row. Stop the service
first. If the command is interrupted, run it again to continue.

  sqlite    recto.db in RECTO_DATA_DIR
  postgres  the database that DATABASE_URL names
`;

export interface CopyContext {
  readonly environment: Environment;
  readonly progress: Progress;
}

type Kind = "sqlite" | "postgres";

/** Runs the command. */
export function copy(
  args: readonly string[],
  { environment, progress }: CopyContext,
): Promise<CommandResult> {
  return runCommandLine({ usage: USAGE, values: ["from", "to"] }, args, (options) => {
    const ends = endsOf(options);
    return attempt("copy", () => {
      const config = readConfig(environment);
      return onServer(() => copyBetween(ends, config, progress));
    });
  });
}

async function copyBetween(
  ends: Ends,
  config: Config,
  progress: Progress,
): Promise<CommandResult> {
  if (config.database.kind !== "postgres") {
    return failure(1, "DATABASE_URL must be the URL of the PostgreSQL database\n");
  }
  await using source = disposable(await open(ends.from, "source", config));
  await using target = disposable(await open(ends.to, "target", config));
  const copied = await copyAll(source.archive, target.archive, progress);
  const differ = copied.filter((table) => !isSame(table));
  return {
    code: differ.length === 0 ? 0 : 1,
    stdout: copied.map(lineOf).join(""),
    stderr: differ.length === 0
      ? ""
      : `These tables differ: ${differ.map(({ table }) => table).join(", ")}. ` +
        "One database may have changed during the copy. Copy again, to an empty database.\n",
  };
}

async function open(kind: Kind, role: Role, { database, dataDir }: Config): Promise<Archive> {
  const file = { kind: "sqlite", path: `${dataDir}/recto.db` } as const;
  const { openArchive } = await loadDatabase(kind === "postgres" ? database : file);
  return await openArchive(role);
}

function disposable(archive: Archive): AsyncDisposable & { readonly archive: Archive } {
  return { archive, [Symbol.asyncDispose]: archive.close };
}

function isSame({ source, target }: Copied): boolean {
  return source.rows === target.rows && source.hash === target.hash;
}

function lineOf(copied: Copied): string {
  const { table, source: { rows, hash } } = copied;
  return isSame(copied)
    ? `${table}: ${rows} rows, the same in both (SHA-256 ${hash})\n`
    : `${table}: ${rows} rows in the source, ${copied.target.rows} in the target, which differ\n`;
}

interface Ends {
  readonly from: Kind;
  readonly to: Kind;
}

/** Returns source and target; throws `UsageError`. */
function endsOf({ values }: Options): Ends {
  const [from, to] = [values.get("from"), values.get("to")];
  if (!isKind(from) || !isKind(to)) {
    throw new UsageError("--from and --to must be sqlite or postgres");
  }
  if (from === to) throw new UsageError("--from and --to must differ");
  return { from, to };
}

function isKind(text: string | undefined): text is Kind {
  return text === "sqlite" || text === "postgres";
}

const INTERVAL = 500;

/** Prints progress on one line of a terminal; prints nothing if there is no terminal. */
function createProgress(): Progress {
  const encoder = new TextEncoder();
  let last = 0;
  return (what, table, rows, of) => {
    const now = performance.now();
    if (!Deno.stderr.isTerminal() || (rows < of && now - last < INTERVAL)) return;
    last = now;
    Deno.stderr.writeSync(encoder.encode(`\r\x1b[K${table}: ${rows} of ${of} rows ${what}`));
  };
}

if (import.meta.main) {
  const environment = (name: string) => Deno.env.get(name);
  const result = await copy(Deno.args, { environment, progress: createProgress() });
  if (Deno.stderr.isTerminal()) await Deno.stderr.write(new TextEncoder().encode("\r\x1b[K"));
  await conclude(result);
}
