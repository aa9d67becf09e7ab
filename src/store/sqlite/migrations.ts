/**
 * The SQLite schema's migrations, and their journal in the database.
 *
 * @module
 */
import {
  type AppliedMigration,
  checksumOf,
  type Migration,
  pendingMigrations,
} from "../migrate.ts";
import type { Connection } from "./connection.ts";
import content from "./migrations/001_content.sql" with { type: "text" };
import databases from "./migrations/002_databases.sql" with { type: "text" };
import container from "./migrations/003_container.sql" with { type: "text" };
import files from "./migrations/004_files.sql" with { type: "text" };
import search from "./migrations/005_search.sql" with { type: "text" };
import vectors from "./migrations/006_vectors.sql" with { type: "text" };
import prefixes from "./migrations/007_search_prefixes.sql" with { type: "text" };
import models from "./migrations/008_models.sql" with { type: "text" };
import titles from "./migrations/009_search_titles.sql" with { type: "text" };
import leaves from "./migrations/010_search_leaves.sql" with { type: "text" };
import checksums from "./migrations/011_checksums.sql" with { type: "text" };
import vectorDimensions from "./migrations/012_vector_dimensions.sql" with { type: "text" };
import apiKeys from "./migrations/013_api_keys.sql" with { type: "text" };
import administration from "./migrations/014_administration.sql" with { type: "text" };
import comments from "./migrations/015_comments.sql" with { type: "text" };
import syncedCopies from "./migrations/016_synced_copies.sql" with { type: "text" };
import searchAnalysis from "./migrations/017_search_analysis.sql" with { type: "text" };
import createdTimes from "./migrations/018_pages_by_created_time.sql" with { type: "text" };
import textBlocks from "./migrations/019_text_blocks.sql" with { type: "text" };
import materialized from "./migrations/020_materialized_formulas.sql" with { type: "text" };
import furtherLinks from "./migrations/021_further_links.sql" with { type: "text" };
import longTexts from "./migrations/022_long_texts.sql" with { type: "text" };
import linkCounts from "./migrations/023_link_counts.sql" with { type: "text" };
import blockRows from "./migrations/024_text_block_rows.sql" with { type: "text" };
import recordChecksums from "./migrations/025_record_checksums.sql" with { type: "text" };
import slicedCommits from "./migrations/026_sliced_commits.sql" with { type: "text" };
import mergesApart from "./migrations/027_merges_apart.sql" with { type: "text" };
import wordsInTrash from "./migrations/028_words_in_the_trash.sql" with { type: "text" };

export const MIGRATIONS: readonly Migration[] = [
  { name: "001_content", sql: content },
  { name: "002_databases", sql: databases },
  { name: "003_container", sql: container },
  { name: "004_files", sql: files },
  { name: "005_search", sql: search },
  { name: "006_vectors", sql: vectors },
  { name: "007_search_prefixes", sql: prefixes },
  { name: "008_models", sql: models },
  { name: "009_search_titles", sql: titles },
  { name: "010_search_leaves", sql: leaves },
  { name: "011_checksums", sql: checksums },
  { name: "012_vector_dimensions", sql: vectorDimensions },
  { name: "013_api_keys", sql: apiKeys },
  { name: "014_administration", sql: administration },
  { name: "015_comments", sql: comments },
  { name: "016_synced_copies", sql: syncedCopies },
  { name: "017_search_analysis", sql: searchAnalysis },
  { name: "018_pages_by_created_time", sql: createdTimes },
  { name: "019_text_blocks", sql: textBlocks },
  { name: "020_materialized_formulas", sql: materialized },
  { name: "021_further_links", sql: furtherLinks },
  { name: "022_long_texts", sql: longTexts },
  { name: "023_link_counts", sql: linkCounts },
  { name: "024_text_block_rows", sql: blockRows },
  { name: "025_record_checksums", sql: recordChecksums },
  { name: "026_sliced_commits", sql: slicedCommits },
  { name: "027_merges_apart", sql: mergesApart },
  { name: "028_words_in_the_trash", sql: wordsInTrash },
];

const JOURNAL = `
  CREATE TABLE IF NOT EXISTS migrations (
    name TEXT PRIMARY KEY,
    checksum TEXT NOT NULL
  ) STRICT, WITHOUT ROWID
`;

/**
 * Brings a database up to date, all migrations or none, and answers what that took; throws
 * `MigrationError`.
 */
export function migrate(
  { db, transaction }: Connection,
  migrations = MIGRATIONS,
): readonly Migration[] {
  // One transaction for finding out and applying, so that processes starting together take turns.
  return transaction(() => {
    db.exec(JOURNAL);
    const pending = pendingMigrations(migrations, appliedIn(db));
    for (const migration of pending) {
      db.exec(migration.sql);
      db.prepare("INSERT INTO migrations (name, checksum) VALUES (?, ?)")
        .run(migration.name, checksumOf(migration));
    }
    return pending;
  });
}

/** Returns the migrations that `migrate` would run, in order; throws as it does. */
export function planMigrations({ db }: Pick<Connection, "db">): readonly Migration[] {
  const journal = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get();
  return pendingMigrations(MIGRATIONS, journal === undefined ? [] : appliedIn(db));
}

function appliedIn(db: Connection["db"]): AppliedMigration[] {
  return db.prepare("SELECT name, checksum FROM migrations ORDER BY name").all()
    .map(({ name, checksum }) => ({ name: String(name), checksum: String(checksum) }));
}
