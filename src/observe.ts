/**
 * What the service says of itself: one JSON line a request, and lines of its own life.
 *
 * @module
 */

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
  /** Writes out what is buffered. */
  flush(): void;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** Takes whole lines. */
  readonly write: (text: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const FLUSH_DELAY = 20;
const FLUSH_LENGTH = 65_536;
const MAX_TEXT = 4_096;
const MAX_CAUSES = 8;

/** A log of JSON lines, gathered for a few milliseconds because a write for each would cost a call. */
export function createLog({ level, write, now }: LogOptions): Log {
  const levels = new Set(LOG_LEVELS.slice(LOG_LEVELS.indexOf(level)));
  let buffer = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let moment = NaN;
  let start = "";

  // Many lines are of one millisecond.
  function startOfLine(): string {
    const at = now();
    if (at !== moment) {
      moment = at;
      start = `{"time":"${new Date(at).toISOString()}","level":"`;
    }
    return start;
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const text = buffer;
    buffer = "";
    if (text !== "") write(text);
  }

  function line(at: LogLevel, members: string): void {
    buffer += `${startOfLine()}${at}",${members}}\n`;
    if (buffer.length > FLUSH_LENGTH) flush();
    else timer ??= setTimeout(flush, FLUSH_DELAY);
  }

  return {
    request: (record) => {
      const at = isFailure(record) ? "error" : "info";
      if (levels.has(at)) line(at, requestMembers(record));
    },
    event: (at, message, members) => {
      if (levels.has(at)) {
        line(at, JSON.stringify({ message: cut(message), ...members }).slice(1, -1));
      }
    },
    flush,
  };
}

/** Whether the service failed; 501 is what a client asked for that is not there. */
function isFailure({ status }: RequestRecord): boolean {
  return status >= 500 && status !== 501;
}

// Member by member, because making an object to print it was a fifth of a request's time. What a
// client had a hand in is quoted by JSON; the rest is ours and has nothing to escape.
function requestMembers(record: RequestRecord): string {
  const { method, route, status, code, duration, requestId, decision } = record;
  const { missing, subject, reason, error } = record;
  return `"method":${JSON.stringify(cut(method))},"route":${quoted(route)},"status":${status}` +
    (code === null ? "" : `,"code":"${code}"`) + `,"ms":${milliseconds(duration)}` +
    `,"request_id":"${requestId}","decision":${quoted(decision)}` +
    (missing.length === 0 ? "" : `,"missing":${JSON.stringify(missing)}`) +
    (subject === null ? "" : `,"subject":"${subject}"`) +
    (reason === undefined ? "" : `,"reason":${JSON.stringify(reason)}`) +
    (error === undefined ? "" : `,"error":${JSON.stringify(describe(error))}`);
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
  const parts: string[] = [];
  const open = [error];
  // Bounded, because an error can be its own cause.
  while (open.length > 0 && parts.length < MAX_CAUSES) {
    const at = open.shift();
    parts.push(at instanceof Error ? at.stack ?? at.message : inspect(at));
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
