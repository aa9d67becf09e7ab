/**
 * Finds or installs the extension `pgvector` and creates the tables that need it.
 *
 * @module
 */
import type { Connection } from "../connection.ts";
import { isPassing, isReadOnly } from "../failures.ts";
import { LOCK_MIGRATIONS } from "../migrations.ts";
import { query, type Session } from "../query.ts";

/** An installed extension of a supported version. */
export interface Pgvector {
  readonly version: string;
  /** Schema of its types and operators, quoted for use in statements. */
  readonly schema: string;
}

/** The reason why the extension cannot be used, as a sentence for the operator. */
export interface NoPgvector {
  readonly reason: string;
}

/**
 * The first version with iterative scans; it also has `halfvec`, which stores our bytes exactly.
 */
const NEEDED = [0, 8];

const installed = query<[version: string, schema: string]>(`
  SELECT e.extversion, quote_ident(n.nspname)
  FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'
`);
const available = query<[string]>(
  "SELECT default_version FROM pg_available_extensions WHERE name = 'vector'",
);

/** Finds the extension, and installs it if the server offers it and permits that. */
export async function openPgvector(connection: Connection): Promise<Pgvector | NoPgvector> {
  const found = await findOrInstall(connection);
  if ("reason" in found) return found;
  if (isOlder(found.version, NEEDED)) {
    const update = "its administrator can update it with ALTER EXTENSION vector UPDATE";
    return { reason: `this database has pgvector ${found.version}, older than 0.8; ${update}` };
  }
  try {
    await makeTables(connection, found);
  } catch (error) {
    if (!isReadOnly(error)) throw error;
    return {
      reason: "the database is read-only; the next start with write access creates its tables",
    };
  }
  return found;
}

async function findOrInstall(
  { session, transaction }: Connection,
): Promise<Pgvector | NoPgvector> {
  const installed = await find(session);
  if (installed !== undefined) return installed;
  if (await available.get(session) === undefined) {
    return {
      reason: "pgvector is not installed on the server; Debian has it in a package of its own",
    };
  }
  try {
    await transaction((session) => session.send("CREATE EXTENSION IF NOT EXISTS vector", []));
  } catch (error) {
    if (isPassing(error)) throw error;
    // Another process may have installed it at the same time.
    const other = await find(session);
    return other ?? {
      reason:
        `this user may not install pgvector (${error}); an administrator can run CREATE EXTENSION vector`,
    };
  }
  return await find(session) ?? { reason: "pgvector was dropped while it was being installed" };
}

async function find(session: Session): Promise<Pgvector | undefined> {
  const [version, schema] = await installed.get(session) ?? [];
  return version === undefined || schema === undefined ? undefined : { version, schema };
}

function isOlder(version: string, needed: readonly number[]): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, least] of needed.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}

const isWhole = query<[boolean]>(`
  SELECT count(*) > 0 FROM pg_attribute
  WHERE attrelid = to_regclass('search_near') AND attname = 'direction' AND NOT attisdropped
`);

/**
 * Creates the tables derived from `search_vectors`, again if dropping the extension took a column.
 */
async function makeTables({ transaction }: Connection, { schema }: Pgvector): Promise<void> {
  await transaction(async (session) => {
    await session.send(LOCK_MIGRATIONS, []);
    const [isThere = false] = await isWhole.get(session) ?? [];
    if (!isThere) await session.send(tables(schema), []);
  });
}

const tables = (schema: string) => `
  DROP TABLE IF EXISTS search_near, search_indexes;

  CREATE TABLE search_near (
    workspace_id text COLLATE "C" NOT NULL,
    space integer NOT NULL,
    page_id text COLLATE "C" NOT NULL,
    passage integer NOT NULL,
    direction ${schema}.halfvec NOT NULL,
    PRIMARY KEY (workspace_id, space, page_id, passage)
  );

  CREATE TABLE search_indexes (
    workspace_id text COLLATE "C" NOT NULL,
    space integer NOT NULL,
    dimensions integer NOT NULL,
    -- Highest sequence number whose vectors are in \`search_near\`.
    reach bigint NOT NULL,
    -- Whether its index exists.
    ready boolean NOT NULL,
    PRIMARY KEY (workspace_id, space)
  );
`;
