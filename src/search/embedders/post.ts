/**
 * A request that is made again where trying again may help.
 *
 * @module
 */

export interface PersistOptions {
  /** Milliseconds for one attempt, its answer read; default 30 s. */
  readonly timeLimit?: number;
  /** Default 5. */
  readonly attempts?: number;
  /** Waits so many milliseconds; rejects where the signal says so first. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds since the epoch; default the system's clock. */
  readonly now?: () => number;
}

export interface PostInit {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal?: AbortSignal;
}

const TIME_LIMIT = 30_000;
const ATTEMPTS = 5;
const FIRST_WAIT = 500;
/** Nobody is waited for longer, whatever its `Retry-After` says. */
const LONGEST_WAIT = 60_000;
/** Says that it may go well later: too slow, too many, or broken for now. */
const PASSING = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

/** A status that is not 200, and when to come back. */
export class Refusal extends Error {
  constructor(readonly status: number, readonly retryAfter: string | null) {
    super(`The service of embeddings answered ${status}`);
    this.name = "Refusal";
  }
}

/**
 * The JSON that a service answers a POST with. Failures that may pass are tried again, after twice
 * the time each, or as long as `Retry-After` asks for.
 */
export async function postPersistently(
  url: string,
  init: PostInit,
  options: PersistOptions = {},
): Promise<unknown> {
  const { attempts = ATTEMPTS, wait = pause, now = Date.now } = options;
  for (let attempt = 1;; attempt++) {
    try {
      return await post(url, init, options.timeLimit ?? TIME_LIMIT);
    } catch (error) {
      init.signal?.throwIfAborted();
      if (attempt >= attempts || !mayPass(error)) throw error;
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
  if (response.status === 200) return await response.json();
  await response.body?.cancel();
  throw new Refusal(response.status, response.headers.get("retry-after"));
}

/** Besides such statuses: time-outs, cut connections, and answers that were cut with them. */
function mayPass(error: unknown): boolean {
  return error instanceof Refusal ? PASSING.has(error.status) : true;
}

function waitAfter(error: unknown, attempt: number, now: number): number {
  const asked = error instanceof Refusal ? toMilliseconds(error.retryAfter, now) : undefined;
  return Math.min(asked ?? FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT);
}

/** `Retry-After` as RFC 9110 has it: seconds, or a date. */
function toMilliseconds(retryAfter: string | null, now: number): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  signal?.addEventListener("abort", () => {
    clearTimeout(timer);
    reject(signal.reason);
  }, { once: true });
  return promise;
}
