/**
 * Statements that change many rows in slices: to be able to undo one alone, SQLite keeps all pages
 * that it changes in memory.
 *
 * @module
 */
import type { SQLInputValue, StatementSync } from "node:sqlite";
import type { ChangeSteps } from "./changes/appliers.ts";

/** Rows that a statement changes at most, or a few more. */
export const SLICE = 1_000;

/** Runs a statement until it finds no more rows, each time as a step of a change. */
export function* runInSteps(
  slice: StatementSync,
  ...values: SQLInputValue[]
): ChangeSteps {
  while (slice.run(...values).changes > 0) yield {};
}
