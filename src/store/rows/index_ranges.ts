/**
 * Index ranges: stretches of the indexes over the rows of a database.
 *
 * @module
 */
import { isSameField } from "../../content/query/partial_evaluation.ts";
import { prefixRange } from "../../content/schema/collation.ts";
import type { Field, Filter, SortKey, Test } from "../../content/query/filter.ts";
import { exactly, intersect, type Range, rangeOf } from "../../content/query/ranges.ts";

/** Fields that an index orders. */
export type IndexedField = Extract<Field, { readonly kind: "cells" | "row" }>;
export type LinksField = Extract<Field, { readonly kind: "links" }>;

/** The kind of a value. An index has empty values first, then numbers, then keys. */
export type ValueClass = "empty" | "number" | "key";

/** Rows with a value in a range, ordered by value, then by ID. */
export interface ValueRange {
  readonly field: IndexedField;
  readonly valueClass: ValueClass;
  readonly range: Range;
  /** Only rows with these IDs. Set only if the range has a single value. */
  readonly ids?: Range;
}

/** Rows that are linked with a row. */
export interface LinkRange {
  readonly field: LinksField;
  readonly linkedWith: string;
  /** Only rows with these IDs. */
  readonly ids?: Range;
}

export type IndexRange =
  | ValueRange
  | LinkRange
  /** Every row of the row set. */
  | "all";

/** The value class of a member of rows. */
export function valueClassOf(
  member: Extract<Field, { readonly kind: "row" }>["member"],
): ValueClass {
  return member.endsWith("Time") ? "number" : "key";
}

/** The value class of a sort key. */
export function valueClassOfKey(key: SortKey): ValueClass {
  if (key === null) return "empty";
  return typeof key === "number" ? "number" : "key";
}

/** The rows that have this value. */
export function rangeOfKey(field: IndexedField, key: SortKey): ValueRange {
  return { field, valueClass: valueClassOfKey(key), range: key === null ? {} : exactly(key) };
}

/** Whether the range has only one value, so that its rows are in the order of their IDs. */
export function isOneValue({ valueClass, range: { from, to } }: ValueRange): boolean {
  return valueClass === "empty" || (from !== undefined && from === to);
}

/** Whether no row can be in the range: its field has no values of that class. */
export function isImpossible(indexRange: IndexRange): boolean {
  return indexRange !== "all" && "valueClass" in indexRange && indexRange.field.kind === "row" &&
    indexRange.valueClass !== valueClassOf(indexRange.field.member);
}

/** The range of all values that pass the test, and maybe others; undefined if it is unbounded. */
export function rangeOfTest(field: IndexedField, test: Test): ValueRange | undefined {
  switch (test.is) {
    case "empty":
      return rangeOfKey(field, null);
    case "between":
      return { field, valueClass: "number", range: rangeOf(test) };
    case "key":
      return rangeOfKey(field, test.key);
    case "text":
      return rangeOfText(field, test);
  }
}

type TestThat<Is extends Test["is"]> = Extract<Test, { readonly is: Is }>;

function rangeOfText(
  field: IndexedField,
  { how, key }: TestThat<"text">,
): ValueRange | undefined {
  if (how === "equals") return rangeOfKey(field, key);
  if (how !== "starts") return undefined;
  const { from, to } = prefixRange(key);
  const range = { from: { value: from, excluded: false }, to: { value: to, excluded: true } };
  return { field, valueClass: "key", range };
}

/** The values of a class to which a filter limits a field with one value; undefined if none. */
export function rangeWithin(
  valueClass: ValueClass,
  field: IndexedField,
  filter: Filter | undefined,
): Range | undefined {
  if (filter?.op === "and") {
    return filter.filters.reduce<Range | undefined>((range, part) => {
      const own = range && rangeWithin(valueClass, field, part);
      return own && range && intersect(range, own);
    }, {});
  }
  if (filter?.op !== "test" || !isSameField(filter.field, field)) return {};
  const indexRange = rangeOfTest(field, filter.test);
  if (indexRange === undefined) return {};
  return indexRange.valueClass === valueClass ? indexRange.range : undefined;
}
