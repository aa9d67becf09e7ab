/**
 * Sends POST requests, and retries them after temporary failures.
 *
 * @module
 */
import { readBoundedText, UnusableBody } from "../../shared/bounded_body.ts";

export interface RetryOptions {
  /** Milliseconds for one attempt, including its response body; default 30 s. */
  readonly timeLimit?: number;
  /** Default 5. */
  readonly attempts?: number;
  /** Waits; rejects if the signal is aborted first. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds since the epoch; default the system's clock. */
  readonly now?: () => number;
}

export interface PostInit {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes that the body of the response may have. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

const TIME_LIMIT = 30_000;
const ATTEMPTS = 5;
const FIRST_WAIT = 500;
/** Upper limit of a wait, whatever `Retry-After` requests. */
const LONGEST_WAIT = 60_000;
/** Statuses of temporary failures: timeout, conflict, too many requests, server error. */
const TEMPORARY = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

/** The service responded with a status other than 200. */
export class StatusError extends Error {
  constructor(readonly status: number, readonly retryAfter: string | null) {
    super(`The embeddings service responded with status ${status}`);
    this.name = "StatusError";
  }
}

/**
 * Sends a POST request and returns the JSON of the response. Retries temporary failures with
 * exponential backoff, or when `Retry-After` requests it. Rejects with `UnusableBody` if the response
 * is too long or is no JSON.
 */
export async function postWithRetries(
  url: string,
  init: PostInit,
  options: RetryOptions = {},
): Promise<unknown> {
  const { attempts = ATTEMPTS, wait = pause, now = Date.now } = options;
  for (let attempt = 1;; attempt++) {
    try {
      return await post(url, init, options.timeLimit ?? TIME_LIMIT);
    } catch (error) {
      init.signal?.throwIfAborted();
      if (attempt >= attempts || !isTemporary(error)) throw error;
      await wait(waitAfter(error, attempt, now()), init.signal);
    }
  }
}

async function post(url: string, init: PostInit, timeLimit: number): Promise<unknown> {
  const signals = [AbortSignal.timeout(timeLimit), ...(init.signal ? [init.signal] : [])];
  const response = await fetch(url, {
    method: "POST",
    headers: init.headers,
    body: init.body,
    redirect: "error",
    signal: AbortSignal.any(signals),
  });
  if (response.status === 200) {
    return parse(await readBoundedText(response.body, init.maxBytes));
  }
  await response.body?.cancel();
  throw new StatusError(response.status, response.headers.get("retry-after"));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Without V8's error, which quotes the text.
    throw new UnusableBody("Expected JSON from the embeddings service");
  }
}

/** All other errors are timeouts and broken connections, which are temporary. */
function isTemporary(error: unknown): boolean {
  if (error instanceof UnusableBody) return false;
  return error instanceof StatusError ? TEMPORARY.has(error.status) : true;
}

function waitAfter(error: unknown, attempt: number, now: number): number {
  const requested = error instanceof StatusError
    ? toMilliseconds(error.retryAfter, now)
    : undefined;
  return Math.min(requested ?? FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT);
}

/** Parses `Retry-After`: seconds or a date (RFC 9110 section 10.2.3). */
function toMilliseconds(retryAfter: string | null, now: number): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const stop = () => {
    clearTimeout(timer);
    reject(signal?.reason);
  };
  signal?.addEventListener("abort", stop);
  return promise.finally(() => signal?.removeEventListener("abort", stop));
}
