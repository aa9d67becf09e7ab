/**
 * The connections to a PostgreSQL server: their settings, and the ways to use them.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";
import { type Client, createClient } from "./client.ts";
import { createClosableSession } from "./closable_session.ts";
import { driverOptions } from "./driver.ts";
import { isLockTimeout, isLost, isPassing, late, UnknownOutcome } from "./failures.ts";
import { runSingleQuery } from "./single_query.ts";
import type { Clock, Health } from "./pending_replies.ts";
import { assertSessions } from "./pooler.ts";
import { createPool } from "./pool.ts";
import type { Session } from "./query.ts";
import { createReadQueue, type Reader } from "./read_queue.ts";
import { createStoreMetrics, type StoreMetrics } from "../store_metrics.ts";
import { createServers, type Servers } from "./servers.ts";
import {
  INQUIRY,
  isBlocked,
  isStuck,
  noteBlocked,
  SILENCE,
  startWatch,
  type Watched,
} from "./silence_watch.ts";

export interface ConnectionOptions {
  /** `postgres://user:password@host:port,host:port/database?sslmode=…&target_session_attrs=…` */
  readonly url: string;
  /** Connections of this process, at least 2: half of them for statements by themselves. */
  readonly size: number;
  /** True if single reads may take as long as the server permits; commands set it. */
  readonly isPatient?: boolean;
  readonly metrics?: StoreMetrics;
}

export type TransactionWork<T> = (session: Session) => Promise<T>;

/**
 * The last statements of a transaction, whose results nobody needs. They are sent before the first
 * await, together with the COMMIT.
 */
export type Last<T> = (session: Session, result: T) => Promise<unknown>;

export interface Connection {
  /** Single reads; retried if the server was unreachable for a moment. */
  readonly session: Session;
  /**
   * Runs work as one transaction, which is rolled back if the work throws. Runs it again if the
   * server was unreachable, or aborted the transaction before a commit was possible. With a workspace,
   * it waits for no other locks than that workspace's.
   */
  transaction<T>(work: TransactionWork<T>, last?: Last<T>, workspace?: string): Promise<T>;
  /** Like `transaction()`, but without a retry. */
  transactionOnce<T>(work: TransactionWork<T>, last?: Last<T>, workspace?: string): Promise<T>;
  /**
   * Runs reads that all see one state of the database, when it is the reader's turn. They must not
   * wait for other reads: these may wait for a connection.
   */
  reading<T>(work: TransactionWork<T>, reader?: Reader): Promise<T>;
  /**
   * Runs work as an urgent transaction, and probes each connection for single reads at the same
   * time.
   */
  probe(work: TransactionWork<unknown>): Promise<void>;
  /** Rejects with `PoolerError` if connections do not have a server session each. */
  assertSessions(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds that work waits for a connection before it is rejected. */
const PATIENCE = 5_000;

/** Milliseconds that a server has to accept a connection. */
const ACCEPTING = 4_000;

/** Milliseconds that all connections have to answer a probe. */
const PROBE = 3_000;

/** Milliseconds before each further attempt, unless it says otherwise. */
const PAUSES: readonly number[] = [100, 400];

/** Connects on demand; `close` lets pending work finish. */
export function openConnection(
  { url, size, isPatient = false, metrics = createStoreMetrics() }: ConnectionOptions,
): Connection {
  const clock: Clock = { now: 0 };
  const health: Health = { isUp: true, blockedUntil: new Map() };
  const ask = (text: string) => async (server: Servers) =>
    (await runSingleQuery({
      server,
      driver: driverOptions(server.url),
      text,
      limit: INQUIRY,
    }))[0]
      ?.[0];
  const isWritable = ask("SHOW transaction_read_only");
  const servers = createServers(url, {
    limit: ACCEPTING,
    takesWrites: async (server) => await isWritable(server) === "off",
  });
  const driver = driverOptions(servers.url);
  const all = Array.from({ length: size }, () => createClient({ servers, driver, clock }));
  const shared = all.slice(0, Math.floor(size / 2));
  const own = all.slice(shared.length);
  const pool = createPool(own, PATIENCE, metrics.waits.observe);
  const reads = createReadQueue(own.length);
  metrics.pool = () => {
    const { waiting, ...state } = pool.state();
    return { ...state, waiting: waiting + reads.waiting() };
  };
  const stopWatch = startWatch({ servers, driver, clock, health, shared, own, isPatient });
  const watched = { clock, health };
  const onRetry = () => metrics.retries.count++;
  const persevere = createPerseverance(watched, { onRetry, onLockTimeout: noteBlocked });
  // A probe waits for a lock for less long, which says less.
  const probing = createPerseverance(watched, { onRetry });
  const begin = (workspace?: string): string =>
    isBlocked(watched, workspace) ? NOT_WAITING : WAITING;
  const lend = <T>(work: TransactionWork<T>, urgency?: "urgent") =>
    pool.use((client) => client.hold(work), urgency);
  const tryOnce = createPerseverance(watched, { onRetry, onLockTimeout: noteBlocked, pauses: [] });
  const transactWith =
    (perseverance: Perseverance): Connection["transaction"] => (work, last, workspace) =>
      perseverance(
        () => lend((session) => transact(session, begin(workspace), work, last)),
        workspace,
      );
  return {
    session: createSharedSession(shared, watched, persevere),
    transaction: transactWith(persevere),
    transactionOnce: transactWith(tryOnce),
    reading: (work, reader = {}) =>
      reads.run(reader, () => persevere(() => lend((session) => readAll(session, work)))),
    probe: (work) =>
      within(PROBE, [
        probing(() => lend((session) => transact(session, begin(), work), "urgent")),
        ...shared.map((client) => probing(() => client.send("SELECT 1", []))),
      ]),
    assertSessions: () => assertSessions(all),
    close: async () => {
      await stopWatch();
      await Promise.all(all.map((client) => client.close()));
    },
  };
}

/** Gives each statement to the next connection that is not stuck; to none while a lock blocks. */
function createSharedSession(
  clients: readonly Client[],
  watched: Watched,
  persevere: Perseverance,
): Session {
  let turn = 0;
  const next = (): Client => {
    if (isBlocked(watched) && clients.some((client) => isStuck(client, watched))) throw late();
    for (let tried = 0; tried < clients.length; tried++) {
      const client = clients[turn++ % clients.length];
      if (client !== undefined && !isStuck(client, watched)) return client;
    }
    throw late();
  };
  return { send: (sql, values) => persevere(() => next().send(sql, values)) };
}

const WAITING = "BEGIN";
/** A short lock timeout, because another transaction has just waited too long for a lock. */
const NOT_WAITING = "BEGIN; SET LOCAL lock_timeout = 200";

async function transact<T>(
  session: Session,
  begin: string,
  ...[work, last]: [work: TransactionWork<T>, last?: Last<T>]
): Promise<T> {
  // Not awaited: if it fails, so do the statements after it.
  void session.send(begin, []);
  const result = await undone(session, work);
  try {
    const [, { command }] = await Promise.all([
      last?.(session, result),
      session.send("COMMIT", []),
    ]);
    // The answer to the COMMIT of a failed transaction is that it was rolled back.
    if (command !== "COMMIT") throw new Error("A failed transaction was to be committed");
    return result;
  } catch (error) {
    throw isLost(error) ? new UnknownOutcome(error) : error;
  }
}

async function readAll<T>(session: Session, work: TransactionWork<T>): Promise<T> {
  void session.send("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", []);
  const result = await undone(session, work);
  await session.send("COMMIT", []);
  return result;
}

/** Returns the result of the work, or rolls it back. */
async function undone<T>(session: Session, work: TransactionWork<T>): Promise<T> {
  const own = createClosableSession(session);
  try {
    return await work(own.session);
  } catch (error) {
    own.close();
    await session.send("ROLLBACK", []).catch(() => {}); // the server does so where it is out of reach
    throw error;
  }
}

type Perseverance = <T>(work: () => Promise<T>, workspace?: string) => Promise<T>;

interface PerseveranceOptions {
  readonly onRetry: () => void;
  readonly onLockTimeout?: (watched: Watched, workspace?: string) => void;
  /** Milliseconds before each further attempt; by default two. */
  readonly pauses?: readonly number[];
}

/**
 * Retries work that has no effect if it fails, unless the failure is permanent or the server did
 * not respond.
 */
function createPerseverance(
  watched: Watched,
  { onRetry, onLockTimeout, pauses = PAUSES }: PerseveranceOptions,
): Perseverance {
  const { clock, health } = watched;
  return async (work, workspace) => {
    const start = clock.now;
    if (!health.isUp) throw silent();
    for (let tried = 0;; tried++) {
      try {
        return await work();
      } catch (error) {
        if (isLockTimeout(error)) onLockTimeout?.(watched, workspace);
        const pause = pauses[tried];
        const isLate = clock.now - start > SILENCE + 1;
        if (pause === undefined || !isPassing(error) || isLate) throw error;
        onRetry();
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  };
}

/** Waits for all of the work, for so many milliseconds. */
async function within(limit: number, works: readonly Promise<unknown>[]): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(silent()), limit);
  try {
    await Promise.race([Promise.all(works), late]);
  } finally {
    clearTimeout(timer);
  }
}

function silent(): AppError {
  return new AppError("service_unavailable", "Database does not answer", {
    headers: { "retry-after": "1" },
  });
}
