/**
 * A client that repeats a request until it knows the outcome.
 *
 * @module
 */
import { baseUrl } from "../../bench/processes.ts";

/** A JSON response; callers assert its shape. */
// deno-lint-ignore no-explicit-any -- as in the tests of the API
type Body = any;

export interface Asked {
  readonly body?: unknown;
  readonly ifMatch?: string;
}

export interface Told {
  readonly status: number;
  readonly etag: string;
  readonly json: Body;
}

export interface Caller {
  /** Calls `METHOD /path` of any process; repeats temporary failures on the next one. */
  call(route: string, asked?: Asked): Promise<Told>;
  /** Like `call`, but throws if the request fails. */
  succeed(route: string, asked?: Asked): Promise<Told>;
}

/** Number of repeated requests by reason. */
export type Refusals = Map<string, number>;

export interface CallerOptions {
  readonly ports: readonly number[];
  readonly token: string;
  readonly refusals: Refusals;
}

/** Statuses after which the request may succeed later, or may have succeeded. */
const PASSING = new Set([409, 429, 503, 504]);
/** Milliseconds between two attempts. */
const PAUSE = 50;

/** Creates a client. A repeated request carries its original idempotency key. */
export function createCaller({ ports, token, refusals }: CallerOptions): Caller {
  let turn = Math.floor(Math.random() * ports.length);
  const send = async (route: string, headers: Headers, body: unknown): Promise<Told | string> => {
    const [method = "", path = ""] = route.split(" ");
    const port = ports[turn++ % ports.length] ?? 0;
    try {
      const answer = await fetch(`${baseUrl(port)}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const json = await answer.json();
      if (PASSING.has(answer.status)) return String(answer.status);
      return { status: answer.status, etag: answer.headers.get("etag") ?? "", json };
    } catch (error) {
      if (error instanceof TypeError) return "cut";
      throw error;
    }
  };
  const call: Caller["call"] = async (route, { body, ifMatch } = {}) => {
    const headers = new Headers({
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
      ...(ifMatch !== undefined && { "if-match": ifMatch }),
    });
    for (;;) {
      const told = await send(route, headers, body);
      if (typeof told !== "string") return told;
      refusals.set(told, (refusals.get(told) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  };
  return {
    call,
    async succeed(route, asked) {
      const told = await call(route, asked);
      if (told.status !== 200) throw new Error(`${route}: ${JSON.stringify(told.json)}`);
      return told;
    },
  };
}
