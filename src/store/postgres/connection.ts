/**
 * The connections to a PostgreSQL server: how they are set up, and the ways to use them.
 *
 * @module
 */
import { type Client, createClient } from "./client.ts";
import { isLost, isPassing, unknownOutcome } from "./failures.ts";
import { createPool } from "./pool.ts";
import type { Session } from "./query.ts";

export interface ConnectionOptions {
  /** `postgres://user:password@host:port/database?sslmode=…` */
  readonly url: string;
  /** Connections of this process, at least 2: half of them for statements by themselves. */
  readonly size: number;
}

export type Work<T> = (session: Session) => Promise<T>;

/**
 * The end of a transaction, of which nothing is to be learnt but that it was done: it sends its
 * statements before it first waits, and the COMMIT goes with them.
 */
export type Last<T> = (session: Session, result: T) => Promise<unknown>;

export interface Connection {
  /** Reads, each by itself; tried again where the server was out of reach for a moment. */
  readonly session: Session;
  /**
   * Runs work as one transaction: committed where it answers, undone where it throws. It is run again
   * where the server was out of reach or stopped it before it could have been committed.
   */
  transaction<T>(work: Work<T>, last?: Last<T>): Promise<T>;
  /** Runs reads that all see one state of the database. */
  reading<T>(work: Work<T>): Promise<T>;
  close(): Promise<void>;
}

/** Milliseconds that work waits for a connection of its own before it is refused. */
const PATIENCE = 5_000;

/** Milliseconds before each further attempt. */
const PAUSES: readonly number[] = [100, 400];

/** Connects when there is something to send; `close` lets what is under way finish. */
export function openConnection({ url, size }: ConnectionOptions): Connection {
  const clients = Array.from({ length: size }, () => createClient(url));
  const shared = clients.splice(0, Math.floor(size / 2));
  const own = createPool(clients, PATIENCE);
  return {
    session: createSharedSession(shared),
    transaction: (work, last) =>
      persevere(() => own.use((client) => client.hold((session) => transact(session, work, last)))),
    reading: (work) =>
      persevere(() => own.use((client) => client.hold((session) => readAll(session, work)))),
    close: async () => {
      await Promise.all([...shared, ...clients].map((client) => client.close()));
    },
  };
}

/** Gives each statement to the next connection in turn. */
function createSharedSession(clients: readonly Client[]): Session {
  let turn = 0;
  return {
    send: (sql, values) =>
      persevere(() => {
        const client = clients[turn++ % clients.length];
        if (client === undefined) throw new Error("There are no connections");
        return client.send(sql, values);
      }),
  };
}

async function transact<T>(session: Session, work: Work<T>, last?: Last<T>): Promise<T> {
  // Not waited for: where it fails, so does what follows.
  void session.send("BEGIN", []);
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
    throw isLost(error) ? unknownOutcome(error) : error;
  }
}

async function readAll<T>(session: Session, work: Work<T>): Promise<T> {
  void session.send("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", []);
  const result = await undone(session, work);
  await session.send("COMMIT", []);
  return result;
}

/** Answers what the work does, or undoes it. */
async function undone<T>(session: Session, work: Work<T>): Promise<T> {
  try {
    return await work(session);
  } catch (error) {
    await session.send("ROLLBACK", []).catch(() => {}); // the server does so where it is out of reach
    throw error;
  }
}

/** Does work that has no effect where it fails, again where that may pass. */
async function persevere<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return await work();
}
