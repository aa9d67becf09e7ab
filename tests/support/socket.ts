/**
 * Runs the real server on a free port and sends it raw bytes that no client library would send.
 *
 * @module
 */
import { freePort } from "./ports.ts";
import { startServer } from "../../src/app/server.ts";
import { createLog, type Log } from "../../src/shared/log.ts";
import { type TestApp, type TestAppOptions, withApp } from "./app.ts";

/** A response as received. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Wire extends Omit<TestApp, "lines"> {
  readonly port: number;
  /** Value of the `Host` header. */
  readonly host: string;
  /** Log lines of app and server so far, parsed. */
  logged(): Record<string, unknown>[];
  connect(): Promise<Connection>;
  /** Sends these bytes and returns everything received until the server closes the connection. */
  exchange(bytes: string | Uint8Array, reading?: Reading): Promise<WireAnswer[]>;
  /** Sends these bytes and closes the connection after the first response. */
  firstAnswer(bytes: string | Uint8Array): Promise<WireAnswer>;
  /** Stops the server as a signal would. */
  stop(): Promise<void>;
}

export interface Reading {
  /** Responses to HEAD announce a body but have none. */
  readonly bodiless?: boolean;
}

/** One connection, read and written by hand. */
export interface Connection {
  write(bytes: string | Uint8Array): Promise<void>;
  /** Reads until the server closes; rejects after a time limit. */
  readAll(reading?: Reading): Promise<WireAnswer[]>;
  /** Reads one response with a `Content-Length` and leaves the connection open. */
  readOne(): Promise<WireAnswer>;
  /** Reads at least this many bytes. */
  readSome(bytes: number): Promise<void>;
  close(): void;
}

export interface WireOptions extends TestAppOptions {
  /** Milliseconds of grace for requests in flight at shutdown. */
  readonly grace?: number;
}

// Far above what any answer takes, so that a server that hangs fails the test and nothing else
// does.
const PATIENCE = 10_000;

/** Runs a test against a server of its own, and stops it. */
export function withServer(
  test: (wire: Wire) => Promise<void>,
  options: WireOptions = {},
): Promise<void> {
  const port = freePort();
  const { log, logged } = keepLog();
  const { grace, ...appOptions } = options;
  return withApp(async ({ lines: _, ...parts }) => {
    const server = startServer({
      host: "127.0.0.1",
      port,
      log,
      // The caller disposes of the app.
      app: { ...parts.app, close: () => Promise.resolve() },
      ...(grace !== undefined && { grace }),
    });
    const host = `127.0.0.1:${port}`;
    const { stop } = server;
    try {
      await test({ ...parts, ...clientOf(port), port, host, logged, stop });
    } finally {
      await stop();
    }
  }, { log, fallbackAuthority: `localhost:${port}`, ...appOptions });
}

function keepLog(): { log: Log; logged: Wire["logged"] } {
  const lines: Record<string, unknown>[] = [];
  const write = (text: string) =>
    void lines.push(...text.trimEnd().split("\n").map((line) => JSON.parse(line)));
  const log = createLog({ level: "info", write, now: Date.now });
  const logged = () => {
    log.flush();
    return lines;
  };
  return { log, logged };
}

function clientOf(port: number): Pick<Wire, "connect" | "exchange" | "firstAnswer"> {
  const talk = async <T>(
    bytes: string | Uint8Array,
    read: (connection: Connection) => Promise<T>,
  ) => {
    const connection = await open(port);
    try {
      await connection.write(bytes);
      return await read(connection);
    } finally {
      connection.close();
    }
  };
  return {
    connect: () => open(port),
    exchange: (bytes, reading) => talk(bytes, (connection) => connection.readAll(reading)),
    firstAnswer: (bytes) => talk(bytes, (connection) => connection.readOne()),
  };
}

async function open(port: number): Promise<Connection> {
  const socket = await Deno.connect({ hostname: "127.0.0.1", port });
  let received = new Uint8Array();
  async function more(): Promise<boolean> {
    const chunk = new Uint8Array(65_536);
    const count = await inTime(socket.read(chunk)).catch(nothingMore);
    if (count === null) return false;
    const joined = new Uint8Array(received.length + count);
    joined.set(received);
    joined.set(chunk.subarray(0, count), received.length);
    received = joined;
    return true;
  }
  return {
    write: (bytes) => writeAll(socket, typeof bytes === "string" ? latin1(bytes) : bytes),
    readAll: async (reading = {}) => {
      while (await more());
      const answers = readAnswers(received, reading);
      received = new Uint8Array();
      return answers;
    },
    readOne: async () => {
      for (;;) {
        const one = readAnswer(received, {});
        if (one !== undefined) {
          received = received.slice(one.end);
          return one.answer;
        }
        if (!await more()) throw new Error("The server closed before it answered");
      }
    },
    readSome: async (bytes) => {
      while (received.length < bytes && await more());
    },
    close: () => socket.close(),
  };
}

// A server that closes with bytes unread resets the connection, which for us is an end like
// another.
function nothingMore(error: unknown): null {
  if (error instanceof Deno.errors.ConnectionReset) return null;
  throw error;
}

async function writeAll(socket: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let rest = bytes; rest.length > 0;) {
    rest = rest.subarray(await inTime(socket.write(rest)));
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The server did not answer in time")), PATIENCE);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Encodes every character as one byte, so that tests can write any byte. */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function readAnswers(bytes: Uint8Array, reading: Reading): WireAnswer[] {
  const answers: WireAnswer[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const one = readAnswer(rest, reading);
    if (one === undefined) throw new Error("The last answer is cut short");
    answers.push(one.answer);
    rest = rest.subarray(one.end);
  }
  return answers;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Parses the first response in these bytes; undefined if it is incomplete. */
function readAnswer(
  bytes: Uint8Array,
  { bodiless = false }: Reading,
): { answer: WireAnswer; end: number } | undefined {
  const head = headOf(bytes);
  if (head === undefined) return undefined;
  const [statusLine = "", ...lines] = head.split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1]);
  const headers = new Headers(lines.map(toField));
  const start = head.length + 4;
  const end = start + (bodiless ? 0 : Number(headers.get("content-length")));
  if (bytes.length < end) return undefined;
  return { answer: { status, headers, text: decoder.decode(bytes.subarray(start, end)) }, end };
}

function toField(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

function headOf(bytes: Uint8Array): string | undefined {
  const text = String.fromCharCode(...bytes.subarray(0, 32_768));
  const end = text.indexOf("\r\n\r\n");
  return end < 0 ? undefined : text.slice(0, end);
}
