/**
 * Reads of several statements, between which others are served.
 *
 * @module
 */
import { yieldToEventLoop } from "../../shared/yield_to_event_loop.ts";
import type { Connection } from "./connection.ts";
import { mapDatabaseErrors } from "./failures.ts";

/** Work that may pause wherever it yields, so that another moment of the database may follow. */
export type Steps<T> = Generator<void, T, void>;

/** Milliseconds of steps that see one state of the database. */
const SLICE = 5;

/** Runs steps to their end, and lets others be served in between. */
export async function runSteps<T>(
  { reading }: Pick<Connection, "reading">,
  steps: Steps<T>,
): Promise<T> {
  for (;;) {
    const step = mapDatabaseErrors(() => reading(() => nextSteps(steps)));
    if (step.done === true) return step.value;
    await yieldToEventLoop();
  }
}

/**
 * Like {@linkcode runSteps}, with a first step that is one statement: in the caller's transaction, or
 * in none.
 */
export async function startSteps<T>(
  connection: Pick<Connection, "reading">,
  steps: Steps<T>,
): Promise<T> {
  const first = mapDatabaseErrors(() => steps.next());
  return first.done === true ? first.value : await runSteps(connection, steps);
}

/** The same work as a single step. */
// deno-lint-ignore require-yield -- a single step ends where it begins
export function* inOneStep<T>(steps: Steps<T>): Steps<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function nextSteps<T>(steps: Steps<T>): IteratorResult<void, T> {
  const end = performance.now() + SLICE;
  for (;;) {
    const step = steps.next();
    if (step.done === true || performance.now() >= end) return step;
  }
}
