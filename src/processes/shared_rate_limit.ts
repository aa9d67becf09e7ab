/**
 * Rate limits of a service of several processes: the parent has the buckets. A process takes a few
 * requests of a busy caller at once, so that it does not ask for each one.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import { createRateFields, type Grant, type Rate, type RateLimiter } from "../http/rate_limit.ts";
import type { Fields } from "../http/response_writer.ts";
import { upTo } from "../shared/cache_limit.ts";

/** The buckets, in another process. */
export interface RemoteBuckets {
  take(key: string, count: number): Promise<Grant>;
  /** Returns requests that were taken and are not used. */
  refund(key: string, count: number): void;
}

export interface SharedRateOptions {
  readonly name: string;
  /** Number of processes that share the buckets. */
  readonly processes: number;
  readonly buckets: RemoteBuckets;
}

/** Milliseconds for which requests may be used that were taken in advance; then they go back. */
const LEASE_TIME = 500;
/** The part of a full bucket that all processes together may take in advance. */
const IN_ADVANCE = 1 / 8;
const MAX_CALLERS = 100_000;

/** Requests of one caller that were taken in advance, or a refusal. */
interface Lease {
  left: number;
  /** How many were taken. */
  readonly size: number;
  /** The tokens left in the bucket and the time when it is full, as of the last answer. */
  readonly grant: Grant;
  readonly endTime: number;
}

/**
 * Creates the limiter of one process. All processes together let no more requests pass than one
 * bucket does; a caller may be refused while others have up to an eighth of its bucket in advance,
 * for half a second at most.
 */
export function createSharedRateLimiter(
  rate: Rate,
  { name, processes, buckets }: SharedRateOptions,
): RateLimiter {
  const fieldsOf = createRateFields(rate, name);
  const largest = Math.max(1, Math.floor(rate.burst * IN_ADVANCE / processes));
  const leases = new LRUCache<string, Lease>({
    ...upTo(MAX_CALLERS),
    dispose: ({ left }, key, reason) => {
      if (left > 0 && reason !== "set") buckets.refund(key, left);
    },
  });
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Returns what is left of leases that have ended. */
  function sweep(): void {
    timer = undefined;
    const now = performance.now();
    for (const [key, { endTime }] of leases.entries()) {
      if (endTime <= now) leases.delete(key);
    }
    if (leases.size > 0) schedule();
  }

  function schedule(): void {
    if (timer !== undefined) return;
    timer = setTimeout(sweep, LEASE_TIME);
    Deno.unrefTimer(timer);
  }

  async function ask(caller: string, started: number): Promise<Fields> {
    const before = leases.get(caller);
    // The next lease is twice as large if the last one was used up in time.
    const size = before?.left === 0 && started < before.endTime
      ? Math.min(2 * before.size, largest)
      : 1;
    const grant = await buckets.take(caller, size);
    const now = performance.now();
    // Other requests of this caller may have asked in the meantime.
    const left = Math.max(0, grant.granted - 1) + (leases.get(caller)?.left ?? 0);
    const time = grant.granted === 0 ? Math.min(grant.wait, LEASE_TIME) : LEASE_TIME;
    leases.set(caller, { left, size, grant, endTime: now + time });
    schedule();
    return fieldsOf(grant);
  }

  return {
    spend: (caller, time) => {
      const lease = leases.get(caller);
      if (lease === undefined || time >= lease.endTime) return ask(caller, time);
      // Refused without asking: the bucket stays empty for as long as it said.
      if (lease.grant.granted === 0) return fieldsOf(lease.grant);
      if (lease.left === 0) return ask(caller, time);
      lease.left--;
      return fieldsOf({ ...lease.grant, left: lease.grant.left + lease.left });
    },
    refund: (caller) => buckets.refund(caller, 1),
  };
}
