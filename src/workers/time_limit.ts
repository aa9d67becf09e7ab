/**
 * A limit on the time of synchronous work, kept by the thread that does it: ending a thread from
 * outside does not stop the JavaScript that it is running.
 *
 * @module
 */
import { createContext, Script } from "node:vm";

/** Milliseconds before the limit from which on work counts as late. */
const MARGIN = 20;

let current: () => void = () => {};
const context = createContext({ run: () => current() });
const script = new Script("run()");

/** Work that was stopped because it took too long. */
export class TimeLimitError extends Error {}

/**
 * What the work answers; throws `TimeLimitError` where that takes longer than so many milliseconds.
 * Work that is stopped runs none of its `catch` and `finally`. To be called in a task that does
 * nothing else, a timer's: a stop that comes in its very last moment may end the task and fail the
 * thread.
 */
export function withinTime<T>(milliseconds: number, work: () => T): T {
  const late = performance.now() + milliseconds - MARGIN;
  let done: { readonly answer: T } | undefined;
  current = () => {
    done = { answer: work() };
    // Waits to be stopped here, where that has an end, rather than be stopped on the way out.
    while (performance.now() > late);
  };
  try {
    script.runInContext(context, { timeout: Math.ceil(milliseconds) });
  } catch (error) {
    throw isTimeout(error) ? new TimeLimitError() : error;
  }
  if (done === undefined) throw new TimeLimitError();
  return done.answer;
}

function isTimeout(error: unknown): boolean {
  // It is an `Error` of the script's context, and none of this one.
  return typeof error === "object" && error !== null && "code" in error &&
    error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
