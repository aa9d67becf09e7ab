/**
 * Limits on long reads: how many run at once, and how long each may take.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";
import { LIMITS } from "../../http/request.ts";
import type { QueueUser } from "../../shared/fair_queue.ts";
import { yieldToEventLoop } from "../../shared/yield_to_event_loop.ts";

/**
 * Runs a read. From its first pause on it counts as long: it waits for a slot of its caller, and throws
 * if too many reads wait already. Other requests are served during each pause.
 */
export type LongReads = <T>(
  caller: QueueUser,
  read: (pause: () => Promise<void>) => Promise<T>,
) => Promise<T>;

export interface LongReadLimits {
  /** Maximum number of long reads of one caller that run at once. */
  readonly atOnce: number;
  /** Maximum number of long reads of one caller that wait. */
  readonly waiting: number;
  /** Maximum number of long reads of all callers. */
  readonly inAll: number;
  /** Maximum duration of a read in milliseconds. */
  readonly time: number;
}

const USUAL: LongReadLimits = { atOnce: 4, waiting: 16, inAll: 128, time: LIMITS.requestTime };

interface Caller {
  atOnce: number;
  readonly waiting: (() => void)[];
}

/** Creates the limits of one process. */
export function createLongReads(limits: LongReadLimits = USUAL): LongReads {
  const callers = new Map<string, Caller>();
  let inAll = 0;

  async function enter(name: string): Promise<void> {
    const caller = callers.get(name) ?? { atOnce: 0, waiting: [] };
    const isFree = caller.atOnce < limits.atOnce;
    if (!isFree && caller.waiting.length >= limits.waiting) {
      throw tooMany("rate_limited", "of yours");
    }
    if (inAll >= limits.inAll) throw tooMany("service_unavailable", "of all callers");
    callers.set(name, caller);
    inAll++;
    if (isFree) caller.atOnce++;
    // A read that ends hands its slot to the next one.
    else await new Promise<void>((resolve) => caller.waiting.push(resolve));
  }

  function leave(name: string): void {
    const caller = callers.get(name);
    if (caller === undefined) return;
    inAll--;
    const next = caller.waiting.shift();
    if (next !== undefined) return next();
    if (--caller.atOnce === 0) callers.delete(name);
  }

  return async ({ workspace, userId }, read) => {
    const name = `${workspace}\n${userId}`;
    const end = performance.now() + limits.time;
    let isLong = false;
    const pause = async () => {
      if (!isLong) {
        await enter(name);
        isLong = true;
      }
      // The request has timed out by then, so nobody waits for the result.
      if (performance.now() > end) throw new AppError("gateway_timeout", "Request took too long");
      await yieldToEventLoop(name);
    };
    try {
      return await read(pause);
    } finally {
      if (isLong) leave(name);
    }
  };
}

function tooMany(code: "rate_limited" | "service_unavailable", whose: string): AppError {
  return new AppError(code, `Too many long reads ${whose} are running: retry after 1 s`, {
    headers: { "retry-after": "1" },
  });
}
