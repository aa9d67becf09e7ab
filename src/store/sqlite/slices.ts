/**
 * Statements that change many rows in slices: to be able to undo one alone, SQLite keeps all pages
 * that it changes in memory.
 *
 * @module
 */
import type { SQLInputValue, StatementSync } from "node:sqlite";

/** Rows that a statement changes at most, or a few more. */
export const SLICE = 1_000;

/** Runs a statement until it finds no more rows. */
export function runToEnd(slice: StatementSync, ...values: SQLInputValue[]): void {
  let changes;
  do changes = slice.run(...values).changes; while (changes > 0);
}
