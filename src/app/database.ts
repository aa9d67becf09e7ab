/**
 * From the configuration to its database: the one place that tells SQLite and PostgreSQL apart.
 *
 * @module
 */
import { type Config, ConfigError } from "../config/config.ts";
import { UNDIVIDED } from "../search/vectors/page_vectors.ts";
import { AppError } from "../shared/errors.ts";
import type { ProcessGroup } from "../processes/group.ts";
import { createRemoteWrite } from "../processes/remote_writes.ts";
import type { Log } from "../shared/log.ts";
import type { ClockedStore, Database, OpenOptions } from "../store/database.ts";
import { measureWrites, type StoreMetrics } from "../store/store_metrics.ts";

/** Loads the adapter of a database, and that one alone; opens nothing. */
export async function loadDatabase(config: Config["database"]): Promise<Database> {
  if (config.kind === "postgres") {
    const { createPostgresDatabase } = await import("../store/postgres/database.ts");
    return createPostgresDatabase(config);
  }
  const { createSqliteDatabase } = await import("../store/sqlite/database.ts");
  return createSqliteDatabase(config);
}

type ServiceOptions = Pick<OpenOptions, "metrics" | "holdElsewhere" | "sharesFile">;

/** Opens the store of the configuration; rejects with a `ConfigError` if that is impossible. */
export async function openStore(
  config: Config["database"],
  log: Log,
  { metrics, ...options }: ServiceOptions = {},
): Promise<ClockedStore> {
  const database = await loadDatabase(config);
  try {
    const store = await database.openStore({
      mostScanned: UNDIVIDED,
      ...(metrics && { metrics }),
      ...options,
      onProgress: (pages) => log.event("info", `Search index filled: ${pages} pages and databases`),
      onDelay: (reason) => log.event("warn", `Search index is filled later: ${reason}`),
      onNotice: (notice) => log.event("info", notice),
      onUnfinished: (workspace, reason) =>
        log.event("error", `A change that was interrupted is not finished: ${causeOf(reason)}`, {
          workspace,
        }),
    });
    return metrics === undefined ? store : measureWrites(store, metrics);
  } catch (error) {
    throw new ConfigError([issueOf(config, error)]);
  }
}

/**
 * Opens the store of one process of a group: on SQLite the primary writes for all, on PostgreSQL
 * each process for itself.
 */
export async function openGroupStore(
  config: Config["database"],
  log: Log,
  { group, metrics }: { readonly group: ProcessGroup; readonly metrics: StoreMetrics },
): Promise<GroupStore> {
  const { openReader } = await loadDatabase(config);
  const { usedProofs } = group;
  if (openReader === undefined) {
    return { store: await openStore(config, log, { metrics }), forwardsWrites: false };
  }
  if (group.isPrimary) {
    const { holdElsewhere } = group;
    return {
      store: { ...await openStore(config, log, { metrics, holdElsewhere }), usedProofs },
      forwardsWrites: true,
    };
  }
  const { store, holds } = await openReader(createRemoteWrite(group.callPrimary), { metrics });
  group.followHolds(holds);
  return { store: { ...store, usedProofs }, forwardsWrites: true };
}

export interface GroupStore {
  readonly store: ClockedStore;
  /** True if requests that write belong to the primary. */
  readonly forwardsWrites: boolean;
}

function issueOf(config: Config["database"], error: unknown): string {
  if (config.kind === "sqlite") {
    return `DATABASE_URL or RECTO_DATA_DIR: "${config.path}" cannot be opened: ${error}`;
  }
  return `DATABASE_URL cannot be used: ${causeOf(error)}`;
}

/** The error for the operator, who may be told more than a client. */
function causeOf(error: unknown): unknown {
  return error instanceof AppError ? error.cause : error;
}
