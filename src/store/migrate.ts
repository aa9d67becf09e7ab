/**
 * Schema changes: ordered SQL texts that are applied once and never edited again.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { OperatorError } from "./operator_error.ts";

export interface Migration {
  /** Ordered by name: `001_content`. */
  readonly name: string;
  readonly sql: string;
}

/** Throws `OperatorError` if some, but not all, migrations are pending. */
export function assertCurrent(pending: readonly Migration[], all: readonly Migration[]): void {
  if (pending.length === 0 || pending.length === all.length) return;
  throw new OperatorError("The schema is older than this release: run `recto migrate` first");
}

/** A migration that the database's journal lists. */
export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

/** Says why a database does not match this release. */
export class MigrationError extends OperatorError {
  override name = "MigrationError";
}

/** SHA-256 of a migration's text. */
export function checksumOf({ sql }: Migration): string {
  // A checkout on Windows may end lines with CR LF; that is the same migration.
  return createHash("sha256").update(sql.replaceAll("\r\n", "\n")).digest("hex");
}

/**
 * Returns the migrations that a database lacks, in order. Throws `MigrationError` if the database has
 * one that this release does not have, or has with another text.
 */
export function pendingMigrations(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  applied.forEach(({ name, checksum }, index) => {
    const migration = migrations[index];
    if (migration === undefined) {
      throw new MigrationError(`Database is newer than this release: it has had ${name}`);
    }
    if (migration.name !== name || checksumOf(migration) !== checksum) {
      throw new MigrationError(`Migration ${name} is not the one that this database has had`);
    }
  });
  return migrations.slice(applied.length);
}
