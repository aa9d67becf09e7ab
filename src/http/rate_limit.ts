/**
 * A token bucket for each caller, stored as one number: the time when it is full again (GCRA).
 *
 * @module
 */
import { LRUCache } from "lru-cache";
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
   * `RateLimit` fields; throws `rate_limited` with `Retry-After` if the bucket is empty.
   */
  spend(caller: string, time: number): Fields;
  /** Returns one request to the bucket. */
  refund(caller: string): void;
}

const MAX_CALLERS = 100_000;
/** Tolerance for rounding errors, in requests and in seconds. */
const ROUNDING = 1e-6;

/**
 * Creates a limiter in the memory of this process; clients see its policy under `name`. If `rate`
 * is undefined, nothing is limited.
 */
export function createRateLimiter(rate: Rate | undefined, name = "default"): RateLimiter {
  if (rate === undefined) return { spend: () => [], refund: () => {} };
  const full = new LRUCache<string, number>({ max: MAX_CALLERS });
  const cost = 1_000 / rate.perSecond;
  const window = cost * rate.burst;
  const policy = `"${name}";q=${rate.burst};w=${wholeSeconds(window)}`;
  return {
    spend(caller, time) {
      const next = Math.max(full.get(caller) ?? 0, time) + cost;
      const left = Math.floor((time + window - next) / cost + ROUNDING);
      if (left < 0) throw limited(next - window - time, { name, policy });
      full.set(caller, next);
      const reset = wholeSeconds(next - time);
      return [["ratelimit-policy", policy], ["ratelimit", `"${name}";r=${left};t=${reset}`]];
    },
    refund(caller) {
      const at = full.get(caller);
      if (at !== undefined) full.set(caller, at - cost);
    },
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
