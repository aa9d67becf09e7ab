/**
 * Reads that take long: how many there may be at once, and for how long each.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";
import { LIMITS } from "../../http/request.ts";
import { yieldToEventLoop } from "../../shared/yield_to_event_loop.ts";

/**
 * Runs a read. With its first pause it counts as a long one: it waits until enough others of its
 * caller have ended, and is refused where too many wait. Every pause lets others be served.
 */
export type LongReads = <T>(
  caller: string,
  read: (pause: () => Promise<void>) => Promise<T>,
) => Promise<T>;

export interface LongReadLimits {
  /** Long reads of a caller that go on at once. */
  readonly atOnce: number;
  /** Further ones of a caller that wait. */
  readonly waiting: number;
  /** Long reads of all callers together. */
  readonly inAll: number;
  /** Milliseconds. */
  readonly time: number;
}

const USUAL: LongReadLimits = { atOnce: 4, waiting: 16, inAll: 128, time: LIMITS.requestTime };

interface Caller {
  atOnce: number;
  readonly waiting: (() => void)[];
}

/** Creates the bounds of one process. */
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
    // Whoever ends hands over its place.
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

  return async (name, read) => {
    const end = performance.now() + limits.time;
    let isLong = false;
    const pause = async () => {
      if (!isLong) {
        await enter(name);
        isLong = true;
      }
      // The caller has its answer by then, and nobody waits for another.
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
  return new AppError(code, `Too many long queries ${whose} run at once: retry after 1 s`, {
    headers: { "retry-after": "1" },
  });
}
