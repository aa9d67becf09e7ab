/**
 * The store that tests run on: SQLite, or the PostgreSQL server that `TEST_DATABASE_URL` names. If
 * `TEST_VECTOR_INDEX` is set, pgvector indexes the vectors of every workspace.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Store } from "../../src/store/port.ts";
import { type Connection, openConnection } from "../../src/store/postgres/connection.ts";
import { migrate } from "../../src/store/postgres/migrations.ts";
import { createPostgresStore, openPostgresStore } from "../../src/store/postgres/store.ts";
import {
  openVectorIndex,
  type PostgresVectorIndex,
} from "../../src/store/postgres/vectors/vector_index.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";

/** Connections of each store. */
const SIZE = 4;

/** Stores that stay open between tests: opening one costs more than most tests. */
const KEPT = 2;

interface Kept {
  readonly url: string;
  readonly store: Store;
  wipe(): Promise<void>;
}

const server = variable("TEST_DATABASE_URL");
/** 0, so that no workspace is too small for the index. */
const vectorIndex = variable("TEST_VECTOR_INDEX") === undefined ? undefined : { mostScanned: 0 };

// Opened before the first test, because a test must close what it opens.
const free: Kept[] = server === undefined ? [] : await Promise.all(
  Array.from({ length: KEPT }, openKept),
);

/** URLs of the databases in use, by path. */
const inUse = new Map<string, string>();

/** True if tests run with pgvector. */
export const hasVectorIndex = vectorIndex !== undefined;

/** True if tests run on PostgreSQL. */
export const onPostgres = server !== undefined;

/** Seeds of tests that draw what they do for a long time: each store has seeds of its own. */
export const SEEDS: readonly number[] = onPostgres ? [3, 4] : [1, 2];

/**
 * Opens the store of a file; one path is one database, also to several stores at once. On
 * PostgreSQL that is a schema, which is kept for who opens `lasting` again.
 */
export async function openStore(path: string, { lasting = false } = {}): Promise<Store> {
  if (server === undefined) return openSqliteStore(path);
  const kept = lasting || inUse.has(path) ? undefined : free.pop();
  if (kept !== undefined) return lend(kept, path);
  const url = inUse.get(path) ?? await makeSchema(server, nameOf(path));
  return await openPostgresStore({ url, size: SIZE, ...(vectorIndex && { vectorIndex }) });
}

function lend(kept: Kept, path: string): Store {
  inUse.set(path, kept.url);
  return {
    ...kept.store,
    async close() {
      inUse.delete(path);
      await kept.wipe();
      free.push(kept);
    },
  };
}

async function openKept(): Promise<Kept> {
  const { url, connection, wipe, index } = await openSchema();
  const store = createPostgresStore(connection, index);
  // Opens every connection.
  await Promise.all(Array.from({ length: SIZE }, () => [store.ping(), store.node("", "")]).flat());
  return { url, store, wipe };
}

/** A migrated schema, with a function that empties it; only on PostgreSQL. */
export interface Schema {
  readonly url: string;
  readonly connection: Connection;
  readonly index: PostgresVectorIndex | undefined;
  wipe(): Promise<void>;
}

/**
 * Creates an empty schema; the caller closes its connections. A patient connection waits for slow
 * statements as long as the server permits, for tests that measure plans.
 */
export async function openSchema({ isPatient = false } = {}): Promise<Schema> {
  if (server === undefined) throw new Error("TEST_DATABASE_URL names no server");
  const name = nameOf(":memory:");
  const url = await makeSchema(server, name);
  const connection = openConnection({ url, size: SIZE, isPatient });
  await migrate(connection);
  const index = vectorIndex && await requireIndex(connection);
  const tables = await connection.session.send(
    "SELECT tablename FROM pg_tables WHERE schemaname = $1 AND tablename <> 'migrations'",
    [name],
  );
  const wipe = tables.map(([table]) => `DELETE FROM ${table};`).join("") +
    (index === undefined ? "" : dropIndexes(name));
  return { url, connection, index, wipe: async () => void await connection.session.send(wipe, []) };
}

/** Returns a statement that drops the vector indexes of a schema, which take vectors of one length. */
function dropIndexes(schema: string): string {
  return `DO $$
    DECLARE name text;
    BEGIN
      FOR name IN SELECT indexname FROM pg_indexes
        WHERE schemaname = '${schema}' AND indexdef LIKE '% USING hnsw %'
      LOOP
        EXECUTE format('DROP INDEX %I', name);
      END LOOP;
    END
  $$;`;
}

/** Opens the vector index; throws if pgvector is not installed. */
async function requireIndex(connection: Connection): Promise<PostgresVectorIndex> {
  const { index, notice } = await openVectorIndex(connection, { mostScanned: 0 });
  if (index === undefined) throw new Error(notice);
  return index;
}

/** Reads a variable; undefined if the task has no permission to read it. */
function variable(name: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) : undefined;
}

function nameOf(path: string): string {
  const unique = path === ":memory:" ? crypto.randomUUID() : path;
  return `t${createHash("sha256").update(unique).digest("hex").slice(0, 32)}`;
}

/** Creates a schema if it is missing, and returns its URL. */
export async function makeSchema(url: string, name: string): Promise<string> {
  const { session, close } = openConnection({ url, size: 2 });
  await session.send(`CREATE SCHEMA IF NOT EXISTS ${name}`, []);
  await close();
  return `${url}?search_path=${name}`;
}
