/**
 * A token bucket for each caller, stored as one number: the time when it is full again (GCRA).
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import { upTo } from "../shared/cache_limit.ts";
import { AppError } from "../shared/errors.ts";
import type { Fields } from "./response_writer.ts";

export interface Rate {
  /** Sustained requests per second. */
  readonly perSecond: number;
  /** Requests in a burst, when the bucket is full. */
  readonly burst: number;
}

export interface RateLimiter {
  /**
   * Takes one request from the caller's bucket at `time` (monotonic milliseconds) and returns the
   * `RateLimit` fields; throws `rate_limited` with `Retry-After` if the bucket is empty. Returns a
   * promise if it has to ask another process.
   */
  spend(caller: string, time: number): Fields | Promise<Fields>;
  /** Returns one request to the bucket. */
  refund(caller: string): void;
}

const MAX_CALLERS = 100_000;
/** Tolerance for rounding errors, in requests and in seconds. */
const ROUNDING = 1e-6;

/** The answer of a bucket. */
export interface Grant {
  /** Requests that were taken: at most as many as were asked for. */
  readonly granted: number;
  /** Requests that are left in the bucket. */
  readonly left: number;
  /** Milliseconds until the bucket is full. */
  readonly reset: number;
  /** Milliseconds until there is a request in the bucket, if none was granted. */
  readonly wait: number;
}

export interface Buckets {
  /** Takes up to `count` requests from the bucket of a key at `time` (monotonic milliseconds). */
  take(key: string, time: number, count: number): Grant;
  /** Returns requests to a bucket. */
  refund(key: string, count: number): void;
}

/** Creates the buckets; all are full. */
export function createBuckets({ perSecond, burst }: Rate): Buckets {
  const full = new LRUCache<string, number>(upTo(MAX_CALLERS));
  const cost = 1_000 / perSecond;
  const window = cost * burst;
  return {
    take(key, time, count) {
      const from = Math.max(full.get(key) ?? 0, time);
      const possible = Math.floor((time + window - from) / cost + ROUNDING);
      if (possible < 1) {
        return { granted: 0, left: 0, reset: from - time, wait: from + cost - window - time };
      }
      const granted = Math.min(count, possible);
      const next = from + granted * cost;
      full.set(key, next);
      return { granted, left: possible - granted, reset: next - time, wait: 0 };
    },
    refund(key, count) {
      const at = full.get(key);
      if (at !== undefined) full.set(key, at - count * cost);
    },
  };
}

/** Creates what a limiter tells clients of its grants: fields, or an error. */
export function createRateFields(
  { perSecond, burst }: Rate,
  name: string,
): (grant: Grant) => Fields {
  const policy = `"${name}";q=${burst};w=${wholeSeconds((1_000 / perSecond) * burst)}`;
  return ({ granted, left, reset, wait }) => {
    if (granted === 0) throw limited(wait, { name, policy });
    return [
      ["ratelimit-policy", policy],
      ["ratelimit", `"${name}";r=${left};t=${wholeSeconds(reset)}`],
    ];
  };
}

/** A limiter that limits nothing. */
export const UNLIMITED: RateLimiter = { spend: () => [], refund: () => {} };

/**
 * Creates a limiter in the memory of this process; clients see its policy under `name`. If `rate`
 * is undefined, nothing is limited.
 */
export function createRateLimiter(rate: Rate | undefined, name = "default"): RateLimiter {
  if (rate === undefined) return UNLIMITED;
  const buckets = createBuckets(rate);
  const fieldsOf = createRateFields(rate, name);
  return {
    spend: (caller, time) => fieldsOf(buckets.take(caller, time, 1)),
    refund: (caller) => buckets.refund(caller, 1),
  };
}

function wholeSeconds(time: number): number {
  return Math.ceil(time / 1_000 - ROUNDING);
}

function limited(
  wait: number,
  { name, policy }: { readonly name: string; readonly policy: string },
): AppError {
  const seconds = String(Math.max(1, wholeSeconds(wait)));
  return new AppError("rate_limited", `Too many requests: retry after ${seconds} s`, {
    headers: {
      "retry-after": seconds,
      "ratelimit-policy": policy,
      "ratelimit": `"${name}";r=0;t=${seconds}`,
    },
  });
}
