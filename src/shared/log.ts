/**
 * What the service says of itself: one JSON line a request, and lines of its own life. Nothing waits for
 * whoever reads them.
 *
 * @module
 */

import { type Append, createLineWriter, type LineCounts } from "./line_writer.ts";
import { createRepeatedErrors } from "./repeated_errors.ts";

export const LOG_LEVELS = ["info", "warn", "error", "off"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One request, as it is logged: no token, no query, no body, no path as it was sent. */
export interface RequestRecord {
  readonly method: string;
  /** The path as declared; null where none matched. */
  readonly route: string | null;
  readonly status: number;
  /** Error code of a refusal. */
  readonly code: string | null;
  /** Milliseconds. */
  readonly duration: number;
  readonly requestId: string;
  /** What the policy said; null where it was not asked. */
  readonly decision: "allow" | "deny" | "public" | null;
  /** Scopes that were missing, where it denied. */
  readonly missing: readonly string[];
  /** Pseudonym of the caller; null of nobody. */
  readonly subject: string | null;
  /** Why a caller was refused that hears less: a sentence of ours. */
  readonly reason: string | undefined;
  /** What an unexpected error said, for the operator alone. */
  readonly error: unknown;
}

export interface Log {
  request(record: RequestRecord): void;
  event(level: "info" | "warn" | "error", message: string, members?: object): void;
  readonly counts: LineCounts;
  /** Writes out what is buffered; never rejects. */
  flush(): Promise<void>;
  /** Writes out everything, also how often errors came again; gives a stalled reader a second. */
  close(): Promise<void>;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** Takes whole lines; while it is busy lines wait, and are dropped once too many do. */
  readonly write: Append;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const FLUSH_DELAY = 20;
/** Characters that may wait for a reader: a second of lines at full speed is more than this. */
const MAX_WAITING = 1_048_576;
/** Milliseconds that a reader has at the end. */
const CLOSING_TIME = 1_000;
const MAX_TEXT = 4_096;
const MAX_CAUSES = 8;

/** A log of JSON lines, gathered for a few milliseconds because a write for each would cost a call. */
export function createLog({ level, write, now }: LogOptions): Log {
  const levels = new Set(LOG_LEVELS.slice(LOG_LEVELS.indexOf(level)));
  let moment = NaN;
  let start = "";
  const { counts, add, flush } = createLineWriter({
    append: write,
    // It is told in the log, once that flows again, and counted in the metrics until then.
    onLoss: () => {},
    lossLine: (dropped) => `${startOfLine()}warn",${membersOf(LOSS, { dropped })}}\n`,
    maxWaiting: MAX_WAITING,
    delay: FLUSH_DELAY,
  });
  const repeated = createRepeatedErrors((error, times) =>
    line("error", membersOf("The same error again", { times, error }))
  );

  // Many lines are of one millisecond.
  function startOfLine(): string {
    const at = now();
    if (at !== moment) {
      moment = at;
      start = `{"time":"${new Date(at).toISOString()}","level":"`;
    }
    return start;
  }

  function line(at: LogLevel, members: string): void {
    const beginning = startOfLine();
    add(`${beginning}${at}",${members}}\n`);
    repeated.reportDue(moment);
  }

  const isRepeated = (at: LogLevel, summary: string): boolean =>
    at !== "info" && !repeated.isFirst(summary, now());

  return {
    request: (record) => {
      const at = isFailure(record) ? "error" : "info";
      if (!levels.has(at)) return;
      const { error } = record;
      const isShown = error !== undefined && !isRepeated(at, summarize(error));
      line(at, requestMembers(record) + (isShown ? errorMember(error) : ""));
    },
    event: (at, message, members) => {
      if (!levels.has(at)) return;
      const text = membersOf(message, members);
      if (!isRepeated(at, text)) line(at, text);
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

/** Whether the service failed; 501 is what a client asked for that is not there. */
function isFailure({ status }: RequestRecord): boolean {
  return status >= 500 && status !== 501;
}

// Member by member, because making an object to print it was a fifth of a request's time. What a
// client had a hand in is quoted by JSON; the rest is ours and has nothing to escape.
function requestMembers(record: RequestRecord): string {
  const { method, route, status, code, duration, requestId, decision } = record;
  const { missing, subject, reason } = record;
  return `"method":${JSON.stringify(cut(method))},"route":${quoted(route)},"status":${status}` +
    (code === null ? "" : `,"code":"${code}"`) + `,"ms":${milliseconds(duration)}` +
    `,"request_id":"${requestId}","decision":${quoted(decision)}` +
    (missing.length === 0 ? "" : `,"missing":${JSON.stringify(missing)}`) +
    (subject === null ? "" : `,"subject":"${subject}"`) +
    (reason === undefined ? "" : `,"reason":${JSON.stringify(reason)}`);
}

function errorMember(error: unknown): string {
  return `,"error":${JSON.stringify(describe(error))}`;
}

/** To the microsecond; a fraction's digits are kept ready, because working them out is slow. */
function milliseconds(duration: number): string {
  const microseconds = Math.round(duration * 1_000);
  return `${Math.floor(microseconds / 1_000)}.${THOUSANDTHS[microseconds % 1_000]}`;
}

const THOUSANDTHS = Array.from({ length: 1_000 }, (_, n) => String(n).padStart(3, "0"));

function quoted(text: string | null): string {
  return text === null ? "null" : `"${text}"`;
}

/** An error with its causes, cut to a bounded length; never throws, whatever was thrown. */
export function describe(error: unknown): string {
  return causeChain(error, ({ stack, message }) => stack ?? message);
}

/** As `describe`, without stack traces: equal for errors of one cause. */
export function summarize(error: unknown): string {
  return causeChain(error, ({ name, message }) => `${name}: ${message}`);
}

function causeChain(error: unknown, show: (error: Error) => string): string {
  const parts: string[] = [];
  const open = [error];
  // Bounded, because an error can be its own cause.
  while (open.length > 0 && parts.length < MAX_CAUSES) {
    const at = open.shift();
    parts.push(at instanceof Error ? show(at) : inspect(at));
    open.push(...causesOf(at));
  }
  return cut(parts.join("\ncaused by: "));
}

function causesOf(error: unknown): unknown[] {
  const several: unknown[] = error instanceof AggregateError ? error.errors : [];
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? several : [...several, cause];
}

/** Of an object its kind alone: what it holds may be content, and it may not turn into text. */
function inspect(thrown: unknown): string {
  return typeof thrown === "object" ? Object.prototype.toString.call(thrown) : String(thrown);
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
