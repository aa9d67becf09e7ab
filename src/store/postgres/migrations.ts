/**
 * The PostgreSQL schema's migrations, and their journal in the database.
 *
 * @module
 */
import {
  type AppliedMigration,
  checksumOf,
  type Migration,
  MigrationError,
  pendingMigrations,
} from "../migrate.ts";
import type { Connection } from "./connection.ts";
import { isReadOnly } from "./failures.ts";
import content from "./migrations/001_content.sql" with { type: "text" };
import databases from "./migrations/002_databases.sql" with { type: "text" };
import files from "./migrations/003_files.sql" with { type: "text" };
import search from "./migrations/004_search.sql" with { type: "text" };
import vectors from "./migrations/005_vectors.sql" with { type: "text" };
import vectorCounts from "./migrations/006_vector_counts.sql" with { type: "text" };
import checksums from "./migrations/007_checksums.sql" with { type: "text" };
import vectorDimensions from "./migrations/008_vector_dimensions.sql" with { type: "text" };
import apiKeys from "./migrations/009_api_keys.sql" with { type: "text" };
import administration from "./migrations/010_administration.sql" with { type: "text" };
import comments from "./migrations/012_comments.sql" with { type: "text" };
import dpopProofs from "./migrations/011_dpop_proofs.sql" with { type: "text" };
import syncedCopies from "./migrations/013_synced_copies.sql" with { type: "text" };
import searchAnalysis from "./migrations/014_search_analysis.sql" with { type: "text" };
import createdTimes from "./migrations/015_pages_by_created_time.sql" with { type: "text" };
import textBlocks from "./migrations/016_text_blocks.sql" with { type: "text" };
import materialized from "./migrations/017_materialized_formulas.sql" with { type: "text" };
import furtherLinks from "./migrations/018_further_links.sql" with { type: "text" };
import linkCounts from "./migrations/019_link_counts.sql" with { type: "text" };
import recordChecksums from "./migrations/020_record_checksums.sql" with { type: "text" };
import trashedWords from "./migrations/021_words_in_the_trash.sql" with { type: "text" };
import { query, type Session, statement } from "./query.ts";

export const MIGRATIONS: readonly Migration[] = [
  { name: "001_content", sql: content },
  { name: "002_databases", sql: databases },
  { name: "003_files", sql: files },
  { name: "004_search", sql: search },
  { name: "005_vectors", sql: vectors },
  { name: "006_vector_counts", sql: vectorCounts },
  { name: "007_checksums", sql: checksums },
  { name: "008_vector_dimensions", sql: vectorDimensions },
  { name: "009_api_keys", sql: apiKeys },
  { name: "010_administration", sql: administration },
  { name: "011_dpop_proofs", sql: dpopProofs },
  { name: "012_comments", sql: comments },
  { name: "013_synced_copies", sql: syncedCopies },
  { name: "014_search_analysis", sql: searchAnalysis },
  { name: "015_pages_by_created_time", sql: createdTimes },
  { name: "016_text_blocks", sql: textBlocks },
  { name: "017_materialized_formulas", sql: materialized },
  { name: "018_further_links", sql: furtherLinks },
  { name: "019_link_counts", sql: linkCounts },
  { name: "020_record_checksums", sql: recordChecksums },
  { name: "021_words_in_the_trash", sql: trashedWords },
];

// A key as every other table's has it; the journal is the whole service's.
const JOURNAL = `
  CREATE TABLE IF NOT EXISTS migrations (
    workspace_id text COLLATE "C" NOT NULL CHECK (workspace_id = ''),
    name text COLLATE "C" NOT NULL,
    checksum text NOT NULL,
    PRIMARY KEY (workspace_id, name)
  )
`;

/**
 * For the rest of the transaction: processes that start together take turns, however long one
 * needs.
 */
export const LOCK_MIGRATIONS = `
  SET LOCAL lock_timeout = 0;
  SET LOCAL statement_timeout = 0;
  SELECT pg_advisory_xact_lock(hashtextextended('recto migrations ' || current_schema(), 0));
`;

const applied = query<[name: string, checksum: string]>(
  "SELECT name, checksum FROM migrations ORDER BY name",
);
const note = statement("INSERT INTO migrations (workspace_id, name, checksum) VALUES ('', $1, $2)");

/**
 * Brings a database up to date, all migrations or none, and answers what that took; rejects with
 * `MigrationError`.
 */
export async function migrate(
  connection: Connection,
  migrations = MIGRATIONS,
): Promise<readonly Migration[]> {
  // If nothing is to be done, nothing is written, so that a process can start on a standby.
  const planned = await planMigrations(connection, migrations);
  if (planned.length === 0) return planned;
  try {
    return await run(connection, migrations);
  } catch (error) {
    if (!isReadOnly(error)) throw error;
    const names = planned.map(({ name }) => name).join(", ");
    throw new MigrationError(
      `The database is read-only and lacks ${names}: start where it can be written first`,
    );
  }
}

async function run(
  { transaction }: Connection,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  return await transaction(async (session) => {
    await session.send(LOCK_MIGRATIONS, []);
    await session.send(JOURNAL, []);
    const pending = pendingMigrations(migrations, await appliedIn(session));
    for (const migration of pending) {
      await session.send(migration.sql, []);
      await note(session, migration.name, checksumOf(migration));
    }
    return pending;
  });
}

/** Returns the migrations that `migrate` would run, in order; rejects as it does. */
export async function planMigrations(
  { session }: Connection,
  migrations = MIGRATIONS,
): Promise<readonly Migration[]> {
  await assertUtf8(session);
  const [[journal] = []] = await session.send("SELECT to_regclass('migrations')", []);
  return pendingMigrations(migrations, journal === null ? [] : await appliedIn(session));
}

/** Other encodings reject some texts, or store bytes without knowing their characters. */
async function assertUtf8(session: Session): Promise<void> {
  const [[encoding] = []] = await session.send("SHOW server_encoding", []);
  if (encoding === "UTF8") return;
  throw new MigrationError(
    `The database's encoding must be UTF8 and is ${encoding}: make another with ` +
      "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0",
  );
}

async function appliedIn(session: Session): Promise<AppliedMigration[]> {
  return (await applied.all(session)).map(([name, checksum]) => ({ name, checksum }));
}
