/**
 * From the configuration to its database: the one place that tells SQLite and PostgreSQL apart.
 *
 * @module
 */
import { type Config, ConfigError } from "../config/config.ts";
import { UNDIVIDED } from "../search/vectors/page_vectors.ts";
import { AppError } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import type { ClockedStore, Database } from "../store/database.ts";

/** Loads the adapter of a database, and that one alone; opens nothing. */
export async function loadDatabase(config: Config["database"]): Promise<Database> {
  if (config.kind === "postgres") {
    const { createPostgresDatabase } = await import("../store/postgres/database.ts");
    return createPostgresDatabase(config);
  }
  const { createSqliteDatabase } = await import("../store/sqlite/database.ts");
  return createSqliteDatabase(config);
}

/** Opens the store of the configuration; rejects with a `ConfigError` if that is impossible. */
export async function openStore(config: Config["database"], log: Log): Promise<ClockedStore> {
  const database = await loadDatabase(config);
  try {
    return await database.openStore({
      mostScanned: UNDIVIDED,
      onProgress: (pages) => log.event("info", `Search index filled: ${pages} pages and databases`),
      onDelay: (reason) => log.event("warn", `Search index is filled later: ${reason}`),
      onNotice: (notice) => log.event("info", notice),
    });
  } catch (error) {
    throw new ConfigError([issueOf(config, error)]);
  }
}

function issueOf(config: Config["database"], error: unknown): string {
  if (config.kind === "sqlite") {
    return `DATABASE_URL or RECTO_DATA_DIR: "${config.path}" cannot be opened: ${error}`;
  }
  return `DATABASE_URL cannot be used: ${error instanceof AppError ? error.cause : error}`;
}
