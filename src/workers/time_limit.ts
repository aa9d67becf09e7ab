/**
 * A time limit for synchronous work, enforced by the Worker that runs it: terminating a Worker from
 * outside does not stop the JavaScript it is running.
 *
 * @module
 */
import { createContext, Script } from "node:vm";

/** Work that ends less than this many milliseconds before the limit counts as late. */
const MARGIN = 20;

let current: () => void = () => {};
const context = createContext({ run: () => current() });
const script = new Script("run()");

/** Thrown if work was stopped because it exceeded its time limit. */
export class TimeLimitError extends Error {}

/**
 * Returns the result of `work`; throws `TimeLimitError` if it takes longer than the limit. Stopped
 * work runs none of its `catch` and `finally` blocks. Call it in a task that does nothing else,
 * such as a timer's: a stop in the last moment may end the whole task and fail the Worker.
 */
export function withinTime<T>(milliseconds: number, work: () => T): T {
  const late = performance.now() + milliseconds - MARGIN;
  let done: { readonly result: T } | undefined;
  current = () => {
    done = { result: work() };
    // Wait to be stopped here, inside the script, rather than on the way out of it.
    while (performance.now() > late);
  };
  try {
    script.runInContext(context, { timeout: Math.ceil(milliseconds) });
  } catch (error) {
    throw isTimeout(error) ? new TimeLimitError() : error;
  }
  if (done === undefined) throw new TimeLimitError();
  return done.result;
}

function isTimeout(error: unknown): boolean {
  // It is an `Error` of the script's context, so `instanceof` does not hold here.
  return typeof error === "object" && error !== null && "code" in error &&
    error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
