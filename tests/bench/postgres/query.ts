/**
 * Runs the queries of the benchmark `query` on PostgreSQL and on SQLite, on the same machine.
 *
 * @module
 */
import postgres from "postgres";
import { openConnection } from "../../../src/store/postgres/connection.ts";
import { driverOptions } from "../../../src/store/postgres/driver.ts";
import { migrate } from "../../../src/store/postgres/migrations.ts";
import { createPostgresStore } from "../../../src/store/postgres/store.ts";
import type { Store } from "../../../src/store/port.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { startCluster } from "../../postgres/cluster.ts";
import { report } from "../measure.ts";
import { buildDatabase } from "../query/build.ts";
import { createProgress } from "../query/progress.ts";
import { type Figures, measureStores } from "../query/service.ts";
import { fillDatabase } from "./build.ts";

const ROWS = 1_000_000;
/** Allowed ratio of PostgreSQL's time to SQLite's. */
const TIMES = 3;

/** Server settings for a database of this size; every commit waits for the disk. */
const CLUSTER = {
  fsync: true,
  settings: ["shared_buffers=1GB", "max_wal_size=4GB"],
} as const;

export interface PostgresQueryBenchOptions {
  readonly rows?: number;
}

/** Prints PostgreSQL's and SQLite's figures, measured in turns. */
export async function benchPostgresQuery(
  print: (line: string) => void,
  { rows = ROWS }: PostgresQueryBenchOptions = {},
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-bench-" });
  try {
    buildDatabase(`${folder}/recto.db`, rows, createProgress(`${rows} rows on SQLite`));
    await using cluster = await startCluster(CLUSTER);
    const onPostgres = await buildOnPostgres(cluster.url, rows);
    compare(print, await measureStores([onPostgres, openSqliteStore(`${folder}/recto.db`)]));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function buildOnPostgres(url: string, rows: number): Promise<Store> {
  const connection = openConnection({ url, size: 4 });
  await migrate(connection);
  // Without the time limits of a server that handles requests.
  const sql = postgres(url, { ...driverOptions(url), max: 1, connection: {} });
  await fillDatabase(sql, rows, createProgress(`${rows} rows on PostgreSQL`));
  await sql.end();
  return createPostgresStore(connection);
}

function compare(
  print: (line: string) => void,
  [onPostgres = new Map(), onSqlite = new Map()]: readonly Figures[],
): void {
  for (const [name, own] of onPostgres) {
    const sqlite = onSqlite.get(name) ?? NaN;
    const aim = `< ${TIMES}; ${own.toFixed(2)} beside ${sqlite.toFixed(2)} ms`;
    print(report(name, { value: own / sqlite, unit: "times", aim, met: own < TIMES * sqlite }));
  }
}
