/**
 * The outcome of a write that another thread made.
 *
 * @module
 */
import type { WriteRequest } from "../writing.ts";
import { type ErrorData, fromErrorData, toErrorData } from "../../shared/error_data.ts";

/** The return value of its method, or the error it threw. */
export type WriteOutcome = { readonly value: unknown } | { readonly thrown: ErrorData };

/** Executes one write synchronously. */
export type DoWrite = (request: WriteRequest) => unknown;

/** Does work, and returns its outcome as data. */
export function outcomeOf(work: () => unknown): WriteOutcome {
  try {
    return { value: work() };
  } catch (error) {
    return { thrown: toErrorData(error) };
  }
}

/** Returns the result of the method, or throws its error, as if it had been called here. */
export function valueOf(outcome: WriteOutcome): unknown {
  if ("thrown" in outcome) throw fromErrorData(outcome.thrown);
  return outcome.value;
}
