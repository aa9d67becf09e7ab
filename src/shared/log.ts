/**
 * The log: one JSON line for each request, and lines for events of the service. Nothing waits for
 * whoever reads it.
 *
 * @module
 */

import { type Append, createLineWriter, type LineCounts } from "./line_writer.ts";
import { createRepeatedErrors } from "./repeated_errors.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "off"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The log record of a request: without token, query, body, and the path as sent. */
export interface RequestRecord {
  readonly method: string;
  /** The path as declared; null if none matched. */
  readonly route: string | null;
  readonly status: number;
  /** Error code; null for a success. */
  readonly code: string | null;
  /** Milliseconds. */
  readonly duration: number;
  readonly requestId: string;
  /** Decision of the policy; null if it was not evaluated. */
  readonly decision: "allow" | "deny" | "public" | null;
  /** Missing scopes, if the policy denied. */
  readonly missing: readonly string[];
  /** Pseudonym of the caller; null if anonymous. */
  readonly subject: string | null;
  /** A more precise reason than the client is told: one of our own sentences. */
  readonly reason: string | undefined;
  /** An unexpected error, for the operator only. */
  readonly error: unknown;
  /** The header field of that name, as it was sent (W3C Trace Context). */
  readonly traceparent?: string | undefined;
}

/** The span of a request, if it is traced: hexadecimal. */
export interface TraceIds {
  readonly traceId?: string;
  readonly spanId?: string;
}

export interface Log {
  /** Logs a request: at error if the service failed, at debug if a monitor asked, else at info. */
  request(record: RequestRecord, isProbe?: boolean, ids?: TraceIds): void;
  event(level: "info" | "warn" | "error", message: string, members?: object): void;
  readonly counts: LineCounts;
  /** Writes the buffered lines; never rejects. */
  flush(): Promise<void>;
  /** Writes everything, including counts of repeated errors; gives a stalled reader one second. */
  close(): Promise<void>;
}

export interface LogOptions {
  readonly level: LogLevel;
  /**
   * Writes whole lines. While it is busy, lines are buffered, and dropped once the buffer is full.
   */
  readonly write: Append;
  /** Given each line as well. */
  readonly exportLine?: ((level: LogLevel, line: string) => void) | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const FLUSH_DELAY = 20;
/** Maximum length of the buffer in characters: less than a second of lines at full load. */
const MAX_BUFFERED = 1_048_576;
/** Milliseconds that a reader has when the log is closed. */
const CLOSING_TIME = 1_000;
const MAX_TEXT = 4_096;
const MAX_CAUSES = 8;

/** Creates the log. Lines are collected for a few milliseconds, to save system calls. */
export function createLog({ level, write, exportLine, now }: LogOptions): Log {
  const levels = new Set(LOG_LEVELS.slice(LOG_LEVELS.indexOf(level)));
  let lastTime = NaN;
  let start = "";
  const { counts, add, flush } = createLineWriter({
    append: write,
    // The log reports it once it can be written again; until then the metrics count it.
    onLoss: () => {},
    lossLine: (dropped) => `${startOfLine()}warn",${membersOf(LOSS, { dropped })}}\n`,
    maxBuffered: MAX_BUFFERED,
    delay: FLUSH_DELAY,
  });
  const repeated = createRepeatedErrors((error, times) =>
    line("error", () => membersOf("The same error again", { times, error }))
  );

  // Formatting the time costs twice as much as the rest of a line, and many lines share a
  // millisecond.
  function startOfLine(): string {
    const at = now();
    if (at !== lastTime) {
      lastTime = at;
      start = `{"time":"${new Date(at).toISOString()}","level":"`;
    }
    return start;
  }

  function line(at: LogLevel, members: () => string): void {
    const beginning = startOfLine();
    const print = () => `${beginning}${at}",${members()}}\n`;
    add(print);
    exportLine?.(at, print());
    repeated.reportDue(lastTime);
  }

  const isRepeated = (at: LogLevel, summary: string): boolean =>
    at !== "info" && !repeated.isFirst(summary, now());

  return {
    request: (record, isProbe = false, ids) => {
      const at = isFailure(record) ? "error" : isProbe && record.status < 400 ? "debug" : "info";
      if (!levels.has(at)) return;
      const { error } = record;
      const isShown = error !== undefined && !isRepeated(at, summarize(error));
      line(at, () =>
        requestMembers(record) + (isShown ? errorMember(error) : "") +
        (ids?.traceId === undefined ? "" : traceMembers(ids)));
    },
    event: (at, message, members) => {
      if (!levels.has(at)) return;
      const text = membersOf(message, members);
      if (!isRepeated(at, text)) line(at, () => text);
    },
    counts,
    flush,
    close: () => {
      repeated.report();
      return within(CLOSING_TIME, flush());
    },
  };
}

const LOSS = "Log lines were dropped because their reader was too slow";

function membersOf(message: string, members?: object): string {
  return JSON.stringify({ message: cut(message), ...members }).slice(1, -1);
}

async function within(time: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, time);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

/** Returns whether the service failed; 501 means that the client used an unsupported feature. */
function isFailure({ status }: RequestRecord): boolean {
  return status >= 500 && status !== 501;
}

// Printed member by member: a request creates no object for its line. Values that a client can
// influence are quoted by JSON; all others are ours and need no escapes.
function requestMembers(record: RequestRecord): string {
  const { method, route, status, code, duration, requestId, decision } = record;
  const { missing, subject, reason } = record;
  return `"method":${JSON.stringify(cut(method))},"route":${quoted(route)},"status":${status}` +
    (code === null ? "" : `,"code":"${code}"`) + `,"ms":${duration.toFixed(3)}` +
    `,"request_id":"${requestId}","decision":${quoted(decision)}` +
    (missing.length === 0 ? "" : `,"missing":${JSON.stringify(missing)}`) +
    (subject === null ? "" : `,"subject":"${subject}"`) +
    (reason === undefined ? "" : `,"reason":${JSON.stringify(reason)}`);
}

function traceMembers({ traceId, spanId }: TraceIds): string {
  return `,"trace_id":"${traceId}","span_id":"${spanId}"`;
}

function errorMember(error: unknown): string {
  return `,"error":${JSON.stringify(describe(error))}`;
}

function quoted(text: string | null): string {
  return text === null ? "null" : `"${text}"`;
}

/** Describes an error with its causes and stacks, in bounded length; never throws. */
export function describe(error: unknown): string {
  return causeChain(error, ({ stack, message }) => stack ?? message);
}

/** Like `describe()`, without stacks: equal for equal errors. */
export function summarize(error: unknown): string {
  return causeChain(error, ({ name, message }) => `${name}: ${message}`);
}

function causeChain(error: unknown, show: (error: Error) => string): string {
  const parts: string[] = [];
  const open = [error];
  // Bounded, because an error can be its own cause.
  while (open.length > 0 && parts.length < MAX_CAUSES) {
    const at = open.shift();
    parts.push(at instanceof Error ? show(at) : describeValue(at));
    open.push(...causesOf(at));
  }
  return cut(parts.join("\ncaused by: "));
}

function causesOf(error: unknown): unknown[] {
  const several: unknown[] = error instanceof AggregateError ? error.errors : [];
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? several : [...several, cause];
}

/** Names only the kind of an object: its members may be content, and its `toString` may throw. */
function describeValue(thrown: unknown): string {
  return typeof thrown === "object" ? Object.prototype.toString.call(thrown) : String(thrown);
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
