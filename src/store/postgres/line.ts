/**
 * A connection for as long as it lasts: what is under way on it, and how it ends.
 *
 * @module
 */
import type { Socket } from "node:net";
import postgres from "postgres";
import { ConnectionCut } from "./connection_cut.ts";
import { type DriverOptions, overSocket } from "./driver.ts";
import { isReadOnly } from "./failures.ts";
import { isPrepared } from "./prepared.ts";
import type { Answer, Value } from "./query.ts";
import type { Servers } from "./servers.ts";

/** Where a statement is sent: the connection, or the one user that it is lent to. */
export type Driver = Pick<postgres.Sql, "unsafe">;
export type Reserved = Awaited<ReturnType<postgres.Sql["reserve"]>>;

/** Counts the seconds of all limits. It stands still while this process does. */
export interface Clock {
  now: number;
}

export interface LineOptions {
  readonly servers: Servers;
  readonly driver: DriverOptions;
  readonly clock: Clock;
  /** Told once, when the connection has ended. */
  readonly onEnd: (line: Line) => void;
}

export interface Line {
  /** The server's process behind it, as the server tells it apart from all others; once that is known. */
  readonly backend: string | undefined;
  /** When it was opened. */
  readonly born: number;
  /** When the statement was sent that waits the longest; undefined where none does. */
  readonly since: number | undefined;
  readonly isCut: boolean;
  /** Whether the server told it that it writes nothing. */
  readonly isReadOnly: boolean;
  send(text: string, values: readonly Value[], on?: Driver): Promise<Answer>;
  reserve(): Promise<Reserved>;
  /** Rejects what was sent before this time; the answers to it are thrown away. */
  refuse(before: number, error: Error): void;
  /** Gives it up at once: all that is under way rejects, and so does all that comes. */
  cut(reason: string): void;
  /** Ends it when nothing is under way any more, or after some seconds. */
  end(): Promise<void>;
}

/** Seconds that statements under way have at the end. */
const CLOSING_TIME = 5;

// Told apart by its start, too, because numbers of processes come again.
const WHO = `SELECT pid || ' ' || extract(epoch FROM backend_start)
  FROM pg_stat_activity WHERE pid = pg_backend_pid()`;

interface Waiting {
  readonly since: number;
  readonly reject: (error: unknown) => void;
}

/** Opens a connection when there is something to send. */
export function openLine({ servers, driver, clock, onEnd }: LineOptions): Line {
  /** In the order in which they were sent. */
  const waiting = new Set<Waiting>();
  let backend: string | undefined;
  let isAsked = false;
  let isCut = false;
  let mayNotWrite = false;
  let socket: Socket | undefined;
  const born = clock.now;

  const sql = postgres(
    servers.url,
    overSocket({ ...driver, onclose: broken }, connect),
  );

  async function connect(): Promise<Socket> {
    const opened = await servers.connect();
    if (isCut) opened.destroy();
    if (isCut) throw new ConnectionCut("The connection to the database was given up");
    return socket = opened;
  }

  function broken(): void {
    if (isCut) return;
    giveUp("The connection to the database was cut");
    void sql.end({ timeout: CLOSING_TIME });
  }

  function giveUp(reason: string): void {
    isCut = true;
    servers.leave();
    onEnd(line);
    refuse(Infinity, new ConnectionCut(reason));
  }

  function refuse(before: number, error: Error): void {
    for (const { since, reject } of waiting) {
      if (since >= before) return;
      reject(error);
    }
  }

  function track<T>(answer: PromiseLike<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const entry = { since: clock.now, reject };
    waiting.add(entry);
    answer.then((value) => {
      waiting.delete(entry);
      resolve(value);
    }, (error) => {
      waiting.delete(entry);
      mayNotWrite ||= isReadOnly(error);
      reject(error);
    });
    return promise;
  }

  async function identify(on: Driver): Promise<void> {
    isAsked = true;
    const [[who] = []] = await track(sendOn(on, WHO, []));
    backend = String(who);
  }

  const line: Line = {
    get backend() {
      return backend;
    },
    born,
    get since() {
      const [longest] = waiting;
      return longest?.since;
    },
    get isCut() {
      return isCut;
    },
    get isReadOnly() {
      return mayNotWrite;
    },
    send(text, values, on = sql) {
      if (isCut) return Promise.reject(new ConnectionCut("The connection to the database was cut"));
      if (!isAsked) identify(on).catch(() => {}); // so do the statements behind it
      return track(sendOn(on, text, values));
    },
    reserve: () => track(sql.reserve()),
    refuse,
    cut(reason) {
      giveUp(reason);
      void sql.end({ timeout: 0 }).then(() => socket?.destroy());
    },
    end: () => sql.end({ timeout: CLOSING_TIME }),
  };
  return line;
}

/** Sends a statement; a text without values may be several. */
function sendOn(sql: Driver, text: string, values: readonly Value[]): Promise<Answer> {
  // Sound because the driver writes each of these as the type that the server says it wants.
  const parameters = [...values] as postgres.ParameterOrJSON<never>[];
  const prepare = isPrepared(text);
  const sent: unknown = sql.unsafe(text, parameters, { prepare }).values().execute();
  return sent as Promise<Answer>; // rows as arrays, with the members that the driver adds to them
}
