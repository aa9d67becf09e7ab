/**
 * One physical connection: its pending statements, and how it ends.
 *
 * @module
 */
import type { Socket } from "node:net";
import postgres from "postgres";
import { ConnectionCut } from "./connection_cut.ts";
import { type DriverOptions, overSocket } from "./driver.ts";
import { isPrepared } from "./prepared.ts";
import type { QueryResult, Value } from "./query.ts";
import type { Servers } from "./servers.ts";
import { type Clock, createWaiting, type PendingReplies } from "./pending_replies.ts";

/** Sends a statement: for anyone, or for the one user that the connection is lent to. */
export type Driver = Pick<postgres.Sql, "unsafe">;
export type Reserved = Awaited<ReturnType<postgres.Sql["reserve"]>>;

export interface PhysicalConnectionOptions {
  readonly servers: Servers;
  readonly driver: DriverOptions;
  readonly clock: Clock;
  /** Called once, when the connection has ended. */
  readonly onEnd: (line: PhysicalConnection) => void;
}

export interface PhysicalConnection extends Pick<PendingReplies, "since" | "refuse"> {
  /** Identifies the server's process of this connection; undefined until the server has sent it. */
  readonly backend: string | undefined;
  /** When it was opened. */
  readonly born: number;
  readonly isCut: boolean;
  send(text: string, values: readonly Value[], on?: Driver): Promise<QueryResult>;
  reserve(): Promise<Reserved>;
  /** Closes it at once: pending and later statements reject. */
  cut(reason: unknown): void;
  /** Closes it once nothing is pending, or after some seconds. */
  end(): Promise<void>;
}

/** Seconds that pending statements get before the connection closes. */
const CLOSING_TIME = 5;

// Identified by its start, too, because process IDs are reused.
const WHO = `SELECT pid || ' ' || extract(epoch FROM backend_start)
  FROM pg_stat_activity WHERE pid = pg_backend_pid()`;

/**
 * Makes statements look rows up one by one. While a workspace is small, the planner would read all
 * of it in place of ten rows, and keep that plan when the workspace has grown. Not sent with the
 * start of the connection, because PgBouncer refuses settings there that it was not told of.
 */
const ONE_BY_ONE = `
  SET enable_bitmapscan = off;
  SET enable_hashjoin = off;
  SET enable_mergejoin = off;
`;

/** Opens a connection when there is something to send. */
export function openLine(
  { servers, driver, clock, onEnd }: PhysicalConnectionOptions,
): PhysicalConnection {
  const waiting = createWaiting(clock);
  let backend: string | undefined;
  let isAsked = false;
  let isCut = false;
  let socket: Socket | undefined;

  const onclose = (): void => giveUp(broken(), CLOSING_TIME);
  const sql = postgres(servers.url, overSocket({ ...driver, onclose }, connect));

  async function connect(): Promise<Socket> {
    try {
      socket = await servers.connect();
    } catch (error) {
      giveUp(error);
      throw error;
    }
    if (!isCut) return socket;
    socket.destroy();
    throw broken();
  }

  function giveUp(reason: unknown, closingTime = 0): void {
    if (isCut) return;
    isCut = true;
    servers.leave();
    onEnd(line);
    waiting.refuse(Infinity, reason);
    // A silent connection would otherwise never close.
    void sql.end({ timeout: closingTime }).then(() => socket?.destroy());
  }

  async function identify(on: Driver): Promise<void> {
    isAsked = true;
    try {
      // Sent together: the first one that fails tells why, and the other one only that it was cut.
      const [, [[who] = []]] = await Promise.all([
        waiting.track(sendOn(on, ONE_BY_ONE, [])),
        waiting.track(sendOn(on, WHO, [])),
      ]);
      backend = String(who);
    } catch (error) {
      // A closed connection would not tell statements behind this one why the server refuses them.
      giveUp(error);
    }
  }

  const line: PhysicalConnection = {
    get backend() {
      return backend;
    },
    born: clock.now,
    get since() {
      return waiting.since;
    },
    get isCut() {
      return isCut;
    },
    send(text, values, on = sql) {
      if (isCut) return Promise.reject(broken());
      if (!isAsked) void identify(on);
      return waiting.track(sendOn(on, text, values));
    },
    reserve: () => waiting.track(sql.reserve()),
    refuse: waiting.refuse,
    cut: (reason) => giveUp(reason),
    end: () => sql.end({ timeout: CLOSING_TIME }),
  };
  return line;
}

function broken(): ConnectionCut {
  return new ConnectionCut("The connection to the database was cut");
}

/** Sends a statement; a text without values may be several. */
function sendOn(sql: Driver, text: string, values: readonly Value[]): Promise<QueryResult> {
  // Sound because the driver writes each of these as the type that the server says it wants.
  const parameters = [...values] as postgres.ParameterOrJSON<never>[];
  const prepare = isPrepared(text);
  const sent: unknown = sql.unsafe(text, parameters, { prepare }).values().execute();
  return sent as Promise<QueryResult>; // rows as arrays, with the members that the driver adds to them
}
