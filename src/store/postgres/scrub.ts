/**
 * Rewriting tables, so that nothing of deleted and changed rows stays in their files.
 *
 * @module
 */
import type { Connection } from "./connection.ts";
import { query } from "./query.ts";

/** Rows of a table that is rewritten at most: everybody else waits for it meanwhile. */
const MOST_ROWS = 20_000;

const TABLES = ["users", "receipts"] as const;

/** Milliseconds to wait for transactions of others, and between two looks. */
const PATIENCE = 10_000;
const PAUSE = 100;

/** The oldest transaction that cannot have seen what was erased before. */
const next = query<[string]>("SELECT pg_snapshot_xmax(pg_current_snapshot())::text");

/**
 * Transactions of others that may see what was erased before this one, or whose end others wait for:
 * a snapshot is as old as the oldest transaction of the whole server that ran when it was taken.
 */
const older = query<[number]>(`
  SELECT count(*) FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND (
    age(backend_xid) > age($1::xid8::xid)
    OR datname = current_database() AND age(backend_xmin) > age($1::xid8::xid)
  )
`);

/** Rewrites users and receipts; returns what is left and why, as sentences. */
export async function scrub({ session }: Connection): Promise<readonly string[]> {
  const left: string[] = [...await olderTransactions({ session })];
  for (const table of TABLES) {
    const count = query<[number]>(
      `SELECT count(*) FROM (SELECT workspace_id FROM ${table} LIMIT ${MOST_ROWS + 1}) AS counted`,
    );
    const [rows = 0] = await count.get(session) ?? [];
    const isSmall = rows <= MOST_ROWS;
    await session.send(`VACUUM ${isSmall ? "FULL " : ""}${table}`, []);
    if (isSmall) continue;
    left.push(
      `More than ${MOST_ROWS} ${table} are stored: run VACUUM FULL ${table} when nobody writes, to ` +
        "remove what is left between them",
    );
  }
  return [...left, ...await checkpoint({ session })];
}

/** Waits for older transactions: a rewritten table keeps what they may still see. */
async function olderTransactions(
  { session }: Pick<Connection, "session">,
): Promise<readonly string[]> {
  const [limit = ""] = await next.get(session) ?? [];
  for (const end = performance.now() + PATIENCE; performance.now() < end;) {
    const [count = 0] = await older.get(session, limit) ?? [];
    if (count === 0) return [];
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return [
    "Older transactions keep what they may still see: erase again when they have ended",
  ];
}

/** The old files of a table are removed by the next checkpoint, which few roles may ask for. */
async function checkpoint({ session }: Pick<Connection, "session">): Promise<readonly string[]> {
  try {
    await session.send("CHECKPOINT", []);
    return [WAL];
  } catch {
    return ["The old files of both tables are removed by the server's next checkpoint", WAL];
  }
}

const WAL =
  "The server's write-ahead log, its archive, standbys and backups keep what was written " +
  "before, for as long as you keep them";

/** The database may have tables of others. */
const tables = query<[string]>(`
  SELECT quote_ident(c.relname) FROM pg_class c
  JOIN pg_namespace s ON s.oid = c.relnamespace AND s.nspname = current_schema()
  WHERE c.relkind = 'r' ORDER BY c.relname
`);

/** Frees the space of deleted rows in all tables, for other rows. */
export async function vacuum({ session }: Connection): Promise<void> {
  const found = await tables.all(session);
  for (const [name] of found) await session.send(`VACUUM (ANALYZE) ${name}`, []);
}
