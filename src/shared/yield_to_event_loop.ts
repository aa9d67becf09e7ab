/**
 * Letting others be served in the middle of long work.
 *
 * @module
 */
import { setImmediate } from "node:timers";

/** Milliseconds that work goes on before others have their turn. */
const SLICE = 5;

/** Callers whose work waits to continue, in the order in which they continue. */
const waiting = new Map<string, (() => void)[]>();
let isScheduled = false;

/**
 * Settles once everything else that waits has had its turn. Of all long work that waits one piece goes
 * on in each turn of the event loop, and those whom it is for take turns, however much each asked for.
 */
export function yieldToEventLoop(caller = ""): Promise<void> {
  return new Promise((resolve) => {
    const isFirst = waiting.size === 0;
    const own = waiting.get(caller);
    if (own === undefined) waiting.set(caller, [resolve]);
    else own.push(resolve);
    if (isFirst && !isScheduled) schedule();
  });
}

function schedule(): void {
  isScheduled = true;
  setTimeout(goOn, 0);
}

function scheduleRest(): void {
  if (!isScheduled && waiting.size > 0) schedule();
}

function goOn(): void {
  isScheduled = false;
  for (const [caller, own] of waiting) {
    const resolve = own.shift();
    waiting.delete(caller);
    if (own.length > 0) waiting.set(caller, own);
    // Behind the slice that begins here: a timer that is due by then would run before any request.
    if (waiting.size > 0) setImmediate(scheduleRest);
    return resolve?.();
  }
}

/** Asked between two pieces of work: pauses where it is due, or others have waited for long enough. */
export type Rest = (isDue?: boolean) => Promise<void> | undefined;

/** Like {@linkcode createRest}, for work that no request waits for: all of it counts as one caller. */
export function createBackgroundRest(): Rest {
  return createRest(() => yieldToEventLoop("background"));
}

/** Begins work that others are let in between. */
export function createRest(pause: () => Promise<void> = yieldToEventLoop): Rest {
  let since = performance.now();
  return (isDue = false) => {
    if (!isDue && performance.now() - since < SLICE) return undefined;
    return pause().then(() => {
      since = performance.now();
    });
  };
}
