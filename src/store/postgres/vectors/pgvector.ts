/**
 * The extension `pgvector`: whether the database has it, and the tables that need it.
 *
 * @module
 */
import type { Connection } from "../connection.ts";
import { isPassing, isReadOnly } from "../failures.ts";
import { LOCK_MIGRATIONS } from "../migrations.ts";
import { query, type Session } from "../query.ts";

/** The extension, usable. */
export interface Pgvector {
  readonly version: string;
  /** Where its types and operators are, as statements name it. */
  readonly schema: string;
}

/** Why there is no extension to use, as a sentence for the operator. */
export interface NoPgvector {
  readonly reason: string;
}

/** The first with `halfvec`, which keeps our bytes as they are, and with scans that go on. */
const NEEDED = [0, 8];

const installed = query<[version: string, schema: string]>(`
  SELECT e.extversion, quote_ident(n.nspname)
  FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'
`);
const available = query<[string]>(
  "SELECT default_version FROM pg_available_extensions WHERE name = 'vector'",
);

/** Looks for the extension, and installs it if the server has it and permits that. */
export async function openPgvector(connection: Connection): Promise<Pgvector | NoPgvector> {
  const found = await findOrInstall(connection);
  if ("reason" in found) return found;
  if (isOlder(found.version, NEEDED)) {
    const update = "its administrator can bring it up to date by ALTER EXTENSION vector UPDATE";
    return { reason: `this database has pgvector ${found.version}, older than 0.8; ${update}` };
  }
  try {
    await makeTables(connection, found);
  } catch (error) {
    if (!isReadOnly(error)) throw error;
    return {
      reason: "the database is read-only; a start where it can be written makes its tables",
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
    return { reason: "the server has no pgvector; it comes with a package of its own" };
  }
  try {
    await transaction((session) => session.send("CREATE EXTENSION IF NOT EXISTS vector", []));
  } catch (error) {
    if (isPassing(error)) throw error;
    // Another process may have been first, for a database has an extension once.
    const other = await find(session);
    return other ?? {
      reason:
        `pgvector may not be installed here (${error}); an administrator can, by CREATE EXTENSION vector`,
    };
  }
  return await find(session) ?? { reason: "pgvector vanished while it was installed" };
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

/** Creates the tables derived from `search_vectors`, again if dropping the extension took a column. */
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
    -- Up to which sequence its vectors are in \`search_near\`.
    reach bigint NOT NULL,
    -- Whether its index is there.
    ready boolean NOT NULL,
    PRIMARY KEY (workspace_id, space)
  );
`;
