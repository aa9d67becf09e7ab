/**
 * Evaluates filters in memory. This is the reference: every store returns the same rows.
 *
 * @module
 */
import type { Cell } from "../schema/cells.ts";
import type { Field, Filter, ItemFilter, Test } from "./filter.ts";

/** The part of a row that filters and sorts read. */
export interface QueryRow {
  readonly id: string;
  /** In the order of the value's items; no cells, or `EMPTY` alone, if the value is empty. */
  cells(field: Field): readonly Cell[];
  /** The cells of each item of a rollup. */
  items(propertyId: string): readonly (readonly Cell[])[];
}

/** Returns whether the row matches the filter. */
export function matches(filter: Filter, row: QueryRow): boolean {
  switch (filter.op) {
    case "and":
      return filter.filters.every((part) => matches(part, row));
    case "or":
      return filter.filters.some((part) => matches(part, row));
    case "not":
      return !matches(filter.filter, row);
    case "test":
      return holds(filter.test, row.cells(filter.field));
    case "items": {
      const fulfils = (item: readonly Cell[]) => itemMatches(filter.filter, item);
      return QUANTIFIERS[filter.quantifier](row.items(filter.propertyId), fulfils);
    }
  }
}

type Items = readonly (readonly Cell[])[];
type Fulfils = (item: readonly Cell[]) => boolean;

const QUANTIFIERS = {
  any: (items: Items, fulfils: Fulfils) => items.some(fulfils),
  every: (items: Items, fulfils: Fulfils) => items.every(fulfils),
  none: (items: Items, fulfils: Fulfils) => !items.some(fulfils),
};

function itemMatches(filter: ItemFilter, item: readonly Cell[]): boolean {
  return filter.op === "not" ? !itemMatches(filter.filter, item) : holds(filter.test, item);
}

/** Returns whether a value with these cells passes the test. */
export function holds(test: Test, cells: readonly Cell[]): boolean {
  return test.is === "empty" ? cells.every(isEmpty) : cells.some((cell) => passes(test, cell));
}

function isEmpty({ number, key }: Cell): boolean {
  return number === null && key === null;
}

function passes(test: Exclude<Test, { is: "empty" }>, { number, key, text }: Cell): boolean {
  if (test.is === "key") return key === test.key;
  if (test.is === "between") return number !== null && isBetween(test, number);
  return text !== null && COMPARISONS[test.how](text, test.text);
}

type Between = Extract<Test, { readonly is: "between" }>;

function isBetween(test: Between, number: number): boolean {
  const { from = -Infinity, to = Infinity, fromExcluded = false, toExcluded = false } = test;
  return (fromExcluded ? number > from : number >= from) &&
    (toExcluded ? number < to : number <= to);
}

const COMPARISONS = {
  equals: (text: string, operand: string) => text === operand,
  contains: (text: string, operand: string) => text.includes(operand),
  starts: (text: string, operand: string) => text.startsWith(operand),
  ends: (text: string, operand: string) => text.endsWith(operand),
};
