/**
 * What a property's value is filtered and sorted by: one cell, or one for each of its items.
 *
 * Cells are kept beside their row, indexed. A row has at least one cell of every property that is
 * kept in cells: of an empty value the one that is `EMPTY`.
 *
 * @module
 */

/**
 * A number, or a key with or without a text; all are null where the value is empty. Only a value's
 * first cell may be a number.
 */
export interface Cell {
  /** Numbers; times in milliseconds since the epoch; checkboxes as 0 and 1. */
  readonly number: number | null;
  /** Sort key of a text, or id of an option, a user, …; compared by its code points. */
  readonly key: string | null;
  /** The whole text, folded, where `key` is its sort key. */
  readonly text: string | null;
}

export const EMPTY: Cell = { number: null, key: null, text: null };

/** A cell of a row. */
export interface PropertyCell extends Cell {
  readonly propertyId: string;
  /** Its place among the items of its value, from 0. */
  readonly ordinal: number;
}
