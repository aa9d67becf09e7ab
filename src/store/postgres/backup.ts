/**
 * Backing up a PostgreSQL database and restoring it, with the programs that come with PostgreSQL.
 *
 * @module
 */
import postgres from "postgres";
import { OperatorError } from "../operator_error.ts";
import { driverOptions } from "./driver.ts";
import { MIGRATIONS } from "./migrations.ts";

/** A dump in the custom format of `pg_dump`. */
export interface Dump {
  readonly path: string;
  /** The last migration. */
  readonly schema: string;
  /** Returns the blobs that the dump refers to. */
  blobs(): Iterable<UsedBlob>;
}

export interface UsedBlob {
  readonly workspace: string;
  readonly blob: string;
}

/** Tables that every server fills at its first start. */
const OF_A_START = new Set(["migrations", "secrets", "search_state"]);

/** Dumps one state of a database to a file, also while it is written to. */
export async function dump(url: string, path: string): Promise<Dump> {
  const server = await connect(url);
  try {
    await assertProgram("pg_dump", server);
    return await server.sql.begin("ISOLATION LEVEL REPEATABLE READ READ ONLY", async (sql) => {
      if (!await hasTables(sql)) throw new OperatorError("DATABASE_URL has no tables of Recto");
      const [state] = await sql`SELECT pg_export_snapshot() AS snapshot, current_schema() AS own`;
      const [last] = await sql`SELECT max(name) AS name FROM migrations`;
      const used = await sql`
        SELECT DISTINCT workspace_id, blob FROM uploads WHERE status = 'uploaded' AND blob IS NOT NULL
      `;
      await run("pg_dump", server, [
        ...["--format=custom", "--no-password", `--file=${path}`],
        `--snapshot=${state?.snapshot}`,
        ...(server.searchPath !== undefined ? [`--schema="${state?.own}"`] : []),
        `--dbname=${server.publicUrl}`,
      ]);
      const blobs = used.map(({ workspace_id, blob }) => ({ workspace: workspace_id, blob }));
      return { path, schema: String(last?.name), blobs: () => blobs };
    });
  } finally {
    await server.sql.end();
  }
}

/**
 * Throws `OperatorError` if servers use the database, or if it has content and `replace` is not set.
 */
export async function assertFree(url: string, replace: boolean): Promise<void> {
  const server = await connect(url);
  try {
    await assertProgram("pg_restore", server);
    const [users] = await server.sql`
      SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'recto'
    `;
    if (users?.count > 0) {
      throw new OperatorError("A server uses the database: stop all of its processes first");
    }
    const filled = replace ? [] : await filledTables(server.sql);
    if (filled.length === 0) return;
    throw new OperatorError(
      `DATABASE_URL holds ${
        filled.join(", ")
      }: keep a copy of it, then \`--replace\` puts the backup ` +
        "in its place",
    );
  } finally {
    await server.sql.end();
  }
}

/** Names of the tables that a dump does not have. */
export interface OtherTables {
  /** Dropped, because a migration after the dump had created them, and creates them again. */
  readonly dropped: readonly string[];
  /** Left as they are: they belong to a later release, or to another program. */
  readonly unknown: readonly string[];
}

/**
 * Puts a dump in place of what the database has, all or nothing; throws as `assertFree()` does. Then
 * drops the tables of its schema that the dump does not have and that migrations create. If that fails,
 * the same restore can be run again.
 */
export async function restoreDump(
  url: string,
  path: string,
  replace: boolean,
): Promise<OtherTables> {
  // A server may have been started in the meantime.
  await assertFree(url, replace);
  const server = await connect(url);
  try {
    const [found] = await server.sql`SELECT current_schema() AS schema`;
    const schema: string | null = found?.schema;
    const entries = await outputOf("pg_restore", ["--list", path], "");
    assertSchema(entries, schema ?? server.searchPath);
    const before = await ownTables(server);
    await Deno.writeTextFile(
      `${path}.entries`,
      await selectEntries(server, entries, schema !== null),
    );
    await run("pg_restore", server, [
      ...["--exit-on-error", "--single-transaction", "--no-owner", "--no-password"],
      ...(await hasTables(server.sql) ? ["--clean", "--if-exists"] : []),
      ...[`--use-list=${path}.entries`, `--dbname=${server.publicUrl}`, path],
    ]);
    const remaining = new Set((await ownTables(server)).map(({ id }) => id));
    const others = before.filter(({ id }) => remaining.has(id)).map(({ name }) => name);
    const [dropped, unknown] = [
      others.filter(isOfMigration),
      others.filter((one) => !isOfMigration(one)),
    ];
    // All at once: some refer to others.
    if (dropped.length > 0) await server.sql`DROP TABLE ${server.sql(dropped)}`;
    return { dropped, unknown };
  } finally {
    await server.sql.end();
  }
}

/** Throws `OperatorError` if the tables of a dump are in another schema. */
function assertSchema(entries: string, schema: string | undefined): void {
  const [, theirs] = /^\d+; \d+ \d+ TABLE (.+) migrations /m.exec(entries) ?? [];
  if (theirs === schema) return;
  throw new OperatorError(
    `The backup is of the schema ${theirs}, and DATABASE_URL names ${schema}: name the same one with ` +
      "?search_path=",
  );
}

/** Entry of a schema or an extension, or of its comment or privileges. */
const SHARED = /^\d+; \d+ \d+ (?:(?:COMMENT|ACL) - )?(SCHEMA|EXTENSION) /;
/** Entry of the one extension that tables use. */
const PGVECTOR = /^\d+; \d+ \d+ EXTENSION - vector /;

/**
 * Returns the entries of a dump that are restored. Schemas and extensions may belong to an
 * administrator, so that only missing ones are created, and none is replaced.
 */
async function selectEntries(
  { sql }: Server,
  entries: string,
  hasSchema: boolean,
): Promise<string> {
  const [pgvector] = await sql`SELECT 1 FROM pg_extension WHERE extname = 'vector'`;
  return entries.split("\n").filter((line) => {
    const [, kind] = SHARED.exec(line) ?? [];
    if (kind === "SCHEMA") return !hasSchema;
    return kind !== "EXTENSION" || (pgvector === undefined && PGVECTOR.test(line));
  }).join("\n");
}

interface Table {
  /** OID: a table that was created anew has another. */
  readonly id: string;
  readonly name: string;
}

/** Returns the tables of the current schema that this user may drop. */
async function ownTables({ sql }: Server): Promise<readonly Table[]> {
  const tables = await sql`
    SELECT oid::int8::text AS id, relname AS name FROM pg_class
    WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relkind IN ('r', 'p')
      AND pg_has_role(relowner, 'USAGE') AND NOT EXISTS (
        SELECT 1 FROM pg_depend
        WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'
      )
    ORDER BY relname
  `;
  return tables.map(({ id, name }) => ({ id, name }));
}

/** Returns whether a migration of this release creates a table. */
function isOfMigration(table: string): boolean {
  return MIGRATIONS.some(({ sql }) => sql.includes(`CREATE TABLE ${table} (`));
}

interface Server {
  readonly sql: postgres.Sql<Record<string, unknown>>;
  /** URL of this server alone, without the password and without what libpq does not know. */
  readonly publicUrl: string;
  readonly password: string;
  /** The schema in the URL. */
  readonly searchPath: string | undefined;
}

/** Connects to the first server of the URL that answers. */
async function connect(url: string): Promise<Server> {
  const [, start = "", hosts = "", end = ""] = /^([^@]*@)([^/?#]+)(.*)$/.exec(url) ?? [];
  let failure: unknown;
  for (const host of hosts.split(",")) {
    const server = openServer(new URL(`${start}${host}${end}`));
    try {
      await server.sql`SELECT 1`;
      return server;
    } catch (error) {
      failure = error;
      await server.sql.end({ timeout: 0 });
    }
  }
  throw failure;
}

function openServer(url: URL): Server {
  const searchPath = url.searchParams.get("search_path") ?? undefined;
  const sslmode = url.searchParams.get("sslmode");
  url.searchParams.delete("target_session_attrs");
  const options = driverOptions(url.href);
  const sql = postgres(url.href, {
    ...options,
    max: 1,
    connection: {
      ...options.connection,
      application_name: "recto-backup",
      statement_timeout: 0,
      // While the program works, this session waits in its transaction.
      idle_in_transaction_session_timeout: 0,
    },
  });
  const bare = new URL(url);
  bare.password = "";
  bare.search = sslmode === null ? "" : `?sslmode=${sslmode}`;
  const password = decodeURIComponent(url.password);
  return { sql, publicUrl: bare.href, password, searchPath };
}

async function hasTables(sql: Pick<postgres.Sql, "unsafe">): Promise<boolean> {
  const [found] = await sql.unsafe("SELECT to_regclass('migrations') IS NOT NULL AS found");
  return found?.found === true;
}

async function filledTables(sql: postgres.Sql<Record<string, unknown>>): Promise<string[]> {
  const tables = await sql`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename
  `;
  const filled: string[] = [];
  for (const { name } of tables) {
    if (OF_A_START.has(name)) continue;
    const [row] = await sql`SELECT 1 FROM ${sql(name)} LIMIT 1`;
    if (row !== undefined) filled.push(name);
  }
  return filled;
}

/** Throws `OperatorError` if a program is not installed, or older than the server. */
async function assertProgram(program: string, { sql }: Server): Promise<void> {
  const [server] = await sql`SELECT current_setting('server_version_num')::int / 10000 AS major`;
  const version = await outputOf(program, ["--version"], "");
  const [, major] = /\(PostgreSQL\) (\d+)/.exec(version) ?? [];
  if (Number(major) >= server?.major) return;
  throw new OperatorError(
    `${program} is version ${major}, and the server ${server?.major}: install the package ` +
      `postgresql-client-${server?.major}`,
  );
}

async function run(program: string, { password }: Server, args: readonly string[]): Promise<void> {
  await outputOf(program, args, password);
}

async function outputOf(
  program: string,
  args: readonly string[],
  password: string,
): Promise<string> {
  try {
    // Not among the arguments, which everyone on the machine can read.
    const env = password === "" ? {} : { PGPASSWORD: password };
    const command = new Deno.Command(program, { args: [...args], env });
    const { success, stdout, stderr } = await command.output();
    if (success) return new TextDecoder().decode(stdout);
    throw new OperatorError(new TextDecoder().decode(stderr).trim());
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new OperatorError(`${program} is not installed: install PostgreSQL's client programs`);
  }
}
