/**
 * Pauses in long work, so that other requests are served in between.
 *
 * @module
 */
import { setImmediate } from "node:timers";

/** Milliseconds of work between two pauses. */
const SLICE = 5;

/** Callers whose work waits to continue, in the order in which they continue. */
const waiting = new Map<string, (() => void)[]>();
let isScheduled = false;

/**
 * Resolves after all pending events were handled. In each turn of the event loop one waiting piece of
 * work continues, round-robin by caller, however much work each of them has.
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

/** Called between two pieces of work. Pauses if `isDue`, or if the last pause is too long ago. */
export type Rest = (isDue?: boolean) => Promise<void> | undefined;

/** Like {@linkcode createRest}, for background work, all of which counts as one caller. */
export function createBackgroundRest(): Rest {
  return createRest(() => yieldToEventLoop("background"));
}

/** Starts the clock of a piece of long work. */
export function createRest(pause: () => Promise<void> = yieldToEventLoop): Rest {
  let since = performance.now();
  return (isDue = false) => {
    if (!isDue && performance.now() - since < SLICE) return undefined;
    return pause().then(() => {
      since = performance.now();
    });
  };
}

/** Runs steps to their end, without pauses. */
export function atOnce<T>(steps: Generator<unknown, T, void>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs steps to their end, and pauses between them where it is due. */
export async function withRests<T>(steps: Generator<void, T, void>, rest: Rest): Promise<T> {
  for (;;) {
    const step = steps.next();
    const pause = rest();
    if (pause !== undefined) await pause;
    if (step.done === true) return step.value;
  }
}
