/**
 * Sends requests: so many at a time, each within its time, and again after failures that pass.
 *
 * @module
 */
import { OperatorError } from "../../store/operator_error.ts";
import { ApiError } from "./api_error.ts";
import { retryAfter } from "./retries.ts";

export interface ChannelOptions {
  /** Requests under way at a time. */
  readonly parallel: number;
  /** Sends a request (default: `fetch`). */
  readonly fetch: ((request: Request) => Promise<Response>) | undefined;
  /** Waits for milliseconds. */
  readonly sleep: ((milliseconds: number) => Promise<void>) | undefined;
}

/** A request, and what is read of its response. */
export interface Sending<T> {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Opens the body, for each attempt anew. If that fails, nothing is sent. */
  readonly body?: () => Promise<BodyInit>;
  /** A status that is a success as well. */
  readonly alsoGood?: number;
  /** Milliseconds until the response is read; undefined if it may take as long as it takes. */
  readonly timeLimit: number | undefined;
  /** Reads a response of success. What it leaves unread keeps its connection. */
  readonly read: (response: Response) => Promise<T>;
}

export interface Channel {
  /** Requests that were sent, with retries. */
  readonly requests: () => number;
  /**
   * Sends a request, again if that may help. Rejects with {@linkcode ApiError} if it is refused,
   * with {@linkcode OperatorError} if there is no response, or only a part of one, and with what
   * the body rejects with.
   */
  send<T>(sending: Sending<T>): Promise<T>;
}

/** Creates a channel. A `Retry-After` holds all that is sent over it. */
export function createChannel({ parallel, ...options }: ChannelOptions): Channel {
  const send = options.fetch ?? fetch;
  const sleep = options.sleep ?? ((time) => new Promise<void>((done) => setTimeout(done, time)));
  const slots = createSlots(parallel);
  let requests = 0;
  let resting: Promise<void> = Promise.resolve();
  const sendAgain = async <T>(sending: Sending<T>): Promise<T> => {
    for (let failures = 0;;) {
      await resting;
      requests++;
      const outcome = await attempt(send, sending);
      if ("value" in outcome) return outcome.value;
      const retry = retryAfter({ ...outcome, failures }, Date.now(), Math.random());
      if (retry === undefined) throw outcome.error;
      if (retry.isForAll) resting = sleep(retry.pause);
      else await sleep(retry.pause);
      if (retry.isFailure) failures++;
    }
  };
  return { requests: () => requests, send: (sending) => slots(() => sendAgain(sending)) };
}

/** The outcome of one attempt: the value read, or the reason why there is none. */
type Outcome<T> = { readonly value: T } | {
  /** Undefined if there was no response, or only a part of one. */
  readonly status: number | undefined;
  /** The code of an error response. */
  readonly code: string | undefined;
  readonly retryAfter: string | null;
  readonly error: Error;
};

async function attempt<T>(
  send: (request: Request) => Promise<Response>,
  { method, url, headers, body, alsoGood, timeLimit, read }: Sending<T>,
): Promise<Outcome<T>> {
  const { origin, pathname } = new URL(url);
  const content = body && { body: await body() };
  const limit = startLimit(timeLimit);
  try {
    const response = await send(new Request(url, { method, headers, ...content, ...limit.init }));
    const { ok, status } = response;
    if (ok || status === alsoGood) return { value: await read(response) };
    const error = new ApiError(`${method} ${pathname}`, { status, body: await response.text() });
    const retryAfter = response.headers.get("retry-after");
    return { status, code: error.code, retryAfter, error };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const error = new OperatorError(`${origin} cannot be reached: ${reason}`, { cause });
    return { status: undefined, code: undefined, retryAfter: null, error };
  } finally {
    limit.end();
  }
}

/** A timer that is left running would keep the request and its response in memory. */
function startLimit(
  time: number | undefined,
): { readonly init: RequestInit; readonly end: () => void } {
  if (time === undefined) return { init: {}, end: () => {} };
  const controller = new AbortController();
  const late = () => new DOMException(`no whole response within ${time / 1_000} s`, "TimeoutError");
  const timer = setTimeout(() => controller.abort(late()), time);
  return { init: { signal: controller.signal }, end: () => clearTimeout(timer) };
}

/** Runs at most `count` pieces of work at a time, in the order of their calls. */
function createSlots(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
