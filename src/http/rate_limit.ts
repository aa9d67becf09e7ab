/**
 * A token bucket for each caller, kept as one number: the time at which it is full again (GCRA).
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import { AppError } from "../shared/errors.ts";
import type { Fields } from "./response_writer.ts";

export interface Rate {
  /** Requests a second, in the long run. */
  readonly perSecond: number;
  /** Requests at once, after a rest. */
  readonly burst: number;
}

export interface RateLimiter {
  /**
   * Takes one request from the caller's bucket at `time` (monotonic milliseconds) and answers the
   * `RateLimit` fields; throws `rate_limited` with `Retry-After` where the bucket is empty.
   */
  spend(caller: string, time: number): Fields;
  /** Puts one request back into the bucket. */
  refund(caller: string): void;
}

const MAX_CALLERS = 100_000;
/** Far more than a sum of clock readings is off by, far less than anybody notices. */
const ROUNDING = 1e-6;

/**
 * A limiter in this process's memory, whose policy clients see under `name`; where `rate` is undefined
 * nothing is limited.
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
