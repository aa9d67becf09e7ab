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

export const MIGRATIONS: readonly Migration[] = [
  { name: "001_content", sql: content },
  { name: "002_databases", sql: databases },
  { name: "003_container", sql: container },
  { name: "004_files", sql: files },
];

const JOURNAL = `
  CREATE TABLE IF NOT EXISTS migrations (
    name TEXT PRIMARY KEY,
    checksum TEXT NOT NULL
  ) STRICT, WITHOUT ROWID
`;

/** Brings a database up to date, each migration whole or not at all; throws `MigrationError`. */
export function migrate({ db, transaction }: Connection, migrations = MIGRATIONS): void {
  // One transaction for finding out and applying, so that processes starting together take turns.
  transaction(() => {
    db.exec(JOURNAL);
    for (const migration of pendingMigrations(migrations, appliedIn(db))) {
      db.exec(migration.sql);
      db.prepare("INSERT INTO migrations (name, checksum) VALUES (?, ?)")
        .run(migration.name, checksumOf(migration));
    }
  });
}

function appliedIn(db: Connection["db"]): AppliedMigration[] {
  return db.prepare("SELECT name, checksum FROM migrations ORDER BY name").all()
    .map(({ name, checksum }) => ({ name: String(name), checksum: String(checksum) }));
}
