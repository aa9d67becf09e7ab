/**
 * Cells of values, by which rows are filtered and sorted: one cell, or one for each item of a
 * value.
 *
 * Cells are stored and indexed beside their row. A row has at least one cell of every property
 * whose type has cells: `EMPTY` if the value is empty.
 *
 * @module
 */
import { fold, sortKeyOfFolded } from "./collation.ts";

/**
 * A number, or a key with or without a text; all are null if the value is empty. Only a value's
 * first cell may be a number.
 */
export interface Cell {
  /** Numbers; times in milliseconds since the epoch; checkboxes as 0 and 1. */
  readonly number: number | null;
  /** Sort key of a text, or id of an option, a user, …; compared by code points. */
  readonly key: string | null;
  /** The whole text, folded, if `key` is its sort key. */
  readonly text: string | null;
}

export const EMPTY: Cell = { number: null, key: null, text: null };

/** The cell of a number or a time. */
export function numberCell(number: number): Cell {
  return { number, key: null, text: null };
}

/** The cell of an id. */
export function keyCell(key: string): Cell {
  return { number: null, key, text: null };
}

/** The cell of a text. */
export function textCell(text: string): Cell {
  const folded = fold(text);
  return { number: null, key: sortKeyOfFolded(folded), text: folded };
}

/** A cell of a row. */
export interface PropertyCell extends Cell {
  readonly propertyId: string;
  /** Index among the items of its value. */
  readonly ordinal: number;
}

/**
 * A value passes if any of its cells does; it passes `empty` if it has no cell other than `EMPTY`.
 */
export type Test =
  | { readonly is: "empty" }
  /** From `from` to `to`; a missing end is unbounded. */
  | {
    readonly is: "between";
    readonly from?: number;
    readonly to?: number;
    /** True if the range excludes its end. */
    readonly fromExcluded?: boolean;
    readonly toExcluded?: boolean;
  }
  /** Compares folded text with a folded operand; `key` is the operand's sort key. */
  | {
    readonly is: "text";
    readonly how: "equals" | "contains" | "starts" | "ends";
    readonly text: string;
    readonly key: string;
  }
  | { readonly is: "key"; readonly key: string };
