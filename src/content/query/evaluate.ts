/**
 * Evaluates filters in memory. This is the reference: every store returns the same rows.
 *
 * @module
 */
import { indexIn } from "../../shared/text_search.ts";
import { atOnce } from "../../shared/yield_to_event_loop.ts";
import type { Cell } from "../schema/cells.ts";
import type { Field, Filter, ItemFilter, Test } from "./filter.ts";

/** The part of a row that filters and sorts read. */
export interface QueryRow {
  readonly id: string;
  /** In the order of the value's items; no cells, or `EMPTY` alone, if the value is empty. */
  cells(field: Field): readonly Cell[];
  /** The cells of each item of a rollup. */
  items(propertyId: string): Iterable<readonly Cell[]>;
}

/** Returns whether the row matches the filter. */
export function matches(filter: Filter, row: QueryRow): boolean {
  return atOnce(matchInSteps(filter, row));
}

/** UTF-16 code units of a text that takes no time to look through. */
const SHORT_TEXT = 10_000;

/** Like `matches()`, but yields after each look through a long text, and each item of a rollup. */
export function* matchInSteps(filter: Filter, row: QueryRow): Generator<void, boolean> {
  switch (filter.op) {
    case "and":
    case "or": {
      const isDecisive = filter.op === "or";
      for (const part of filter.filters) {
        // Most parts are tests, which take less time than a generator.
        const isMatch = part.op === "test" ? passesTest(part, row) : yield* matchInSteps(part, row);
        if (isMatch === isDecisive) return isDecisive;
        if (part.op === "test" && part.test.is === "text" && isLong(row.cells(part.field))) yield;
      }
      return !isDecisive;
    }
    case "not":
      return !(yield* matchInSteps(filter.filter, row));
    case "test":
      return passesTest(filter, row);
    case "items":
      return yield* matchItems(filter, row.items(filter.propertyId));
  }
}

function passesTest(
  { test, field }: Extract<Filter, { readonly op: "test" }>,
  row: QueryRow,
): boolean {
  return holds(test, row.cells(field));
}

function isLong([cell]: readonly Cell[]): boolean {
  return (cell?.text?.length ?? 0) > SHORT_TEXT;
}

type ItemsFilter = Extract<Filter, { readonly op: "items" }>;

/** Ends with the first item that decides. */
function* matchItems(
  { quantifier, filter }: ItemsFilter,
  items: Iterable<readonly Cell[]>,
): Generator<void, boolean> {
  const isDecisive = quantifier !== "every";
  for (const item of items) {
    if (itemMatches(filter, item) === isDecisive) return quantifier === "any";
    yield;
  }
  return quantifier !== "any";
}

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
  contains: (text: string, operand: string) => indexIn(text, operand) >= 0,
  starts: (text: string, operand: string) => text.startsWith(operand),
  ends: (text: string, operand: string) => text.endsWith(operand),
};
