/**
 * The audit log: who called what, on which objects, and with what outcome. It never holds content.
 *
 * @module
 */
import {
  createLineWriter,
  type LineCounts,
  type LineWriterOptions,
} from "../shared/line_writer.ts";
import type { Principal } from "../auth/principal.ts";
import { isText, type Text } from "../shared/long_text.ts";
import { LINES_TYPE } from "./body.ts";
import type { Reply } from "./endpoint.ts";
import type { Trace } from "./trace.ts";

/** How a call ended. */
export interface Outcome {
  readonly status: number;
  /** Error code; null for a success. */
  readonly code: string | null;
}

export interface AuditLog {
  readonly counts: LineCounts;
  /** Adds a line for a call with a valid token, and none for others; never throws or waits. */
  record(trace: Trace, outcome: Outcome): void;
  /** Settles when every line is written or dropped; never rejects. */
  flush(): Promise<void>;
}

export interface AuditLogOptions extends Omit<LineWriterOptions, "lossLine"> {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Creates the log. Lines are buffered like those of the request log, and dropped once the buffer is
 * full; the next line that is written says how many are missing.
 */
export function createAuditLog({ now, ...options }: AuditLogOptions): AuditLog {
  const time = () => new Date(now()).toISOString();
  const { counts, add, flush } = createLineWriter({
    ...options,
    lossLine: (dropped) => `${JSON.stringify({ time: time(), dropped })}\n`,
  });
  const membersOf = cacheCallers();
  return {
    counts,
    record(trace, { status, code }) {
      const { caller } = trace;
      if (caller === undefined || caller.userId === "") return;
      // Printed at once, because the trace holds the whole reply.
      const line = `{"time":"${time()}","request_id":"${trace.requestId}",${membersOf(caller)}` +
        `,"method":${JSON.stringify(trace.method)},"route":${JSON.stringify(trace.route)}` +
        `,"ids":${JSON.stringify(idsOf(trace))},"outcome":"${code ?? "ok"}","status":${status}}\n`;
      add(() => line);
    },
    flush,
  };
}

/** Formats the caller's members once per token. */
function cacheCallers(): (caller: Principal) => string {
  const cache = new WeakMap<Principal, string>();
  return (caller) => {
    const { workspace, userId: user_id, clientId: client } = caller;
    const members = cache.get(caller) ??
      JSON.stringify({ workspace, user_id, client }).slice(1, -1);
    cache.set(caller, members);
    return members;
  };
}

/** IDs in the path, then those that a write replied with. */
function idsOf({ method, params, reply }: Trace): string[] {
  const isWrite = method !== "GET" && method !== "HEAD";
  const ids = [...Object.values(params), ...(isWrite && reply ? repliedIds(method, reply) : [])];
  return [...new Set(ids.flatMap((id) => normalizeUuid(id) ?? []))];
}

/** Longest reply that is parsed for its IDs: longer ones would hold up other requests. */
const MAX_PARSED = 262_144;

function repliedIds(method: string, { body, contentType }: Reply): string[] {
  if (body instanceof Uint8Array || body instanceof ReadableStream) return [];
  if (contentType === LINES_TYPE) return listedIds(parseLines(body));
  const value = isText(body) ? parse(body, contentType) : body;
  const { object, id, results } = value;
  // Queries and searches are sent by POST, and change nothing.
  if (object === "list") return method === "POST" ? [] : listedIds(results);
  return typeof id === "string" ? [id] : [];
}

function parseLines(body: unknown): unknown[] {
  if (typeof body !== "string" || body.length > MAX_PARSED) return [];
  return body.trimEnd().split("\n").map((line): unknown => JSON.parse(line));
}

function parse(
  text: Text,
  contentType: string | undefined,
): Readonly<Record<string, unknown>> {
  if (contentType !== undefined || text.length > MAX_PARSED) return {};
  // Sound because a reply without another type is JSON of our own, and an object.
  return JSON.parse(String(text)) as Readonly<Record<string, unknown>>;
}

function listedIds(results: unknown): string[] {
  if (!Array.isArray(results)) return [];
  return results.flatMap((item: unknown) => {
    const { id } = Object(item) as { readonly id?: unknown };
    return typeof id === "string" ? [id] : [];
  });
}

/** Paths may spell IDs without hyphens, or hold anything else. */
function normalizeUuid(text: string): string | undefined {
  const hex = text.replaceAll("-", "").toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(hex)) return undefined;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
