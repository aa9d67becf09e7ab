/**
 * Spans: stretches of the indexes that the rows of a database can be found by.
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

/** Where in its index a value stands: empty ones first, then numbers, then keys. */
export type ValueClass = "empty" | "number" | "key";

/** Rows of which a value lies in a range, in the order of the values, then of their ids. */
export interface ValueRange {
  readonly field: IndexedField;
  readonly valueClass: ValueClass;
  readonly range: Range;
  /** Of a single value only these rows. */
  readonly ids?: Range;
}

/** Rows that are linked with this one. */
export interface LinkSpan {
  readonly field: LinksField;
  readonly linkedWith: string;
  /** Only these rows. */
  readonly ids?: Range;
}

export type IndexRange =
  | ValueRange
  | LinkSpan
  /** Every row that is asked for, by whether it is in the trash. */
  | "all";

/** The class of the values of a row's member. */
export function valueClassOf(
  member: Extract<Field, { readonly kind: "row" }>["member"],
): ValueClass {
  return member.endsWith("Time") ? "number" : "key";
}

/** The class of a value. */
export function valueClassOfKey(key: SortKey): ValueClass {
  if (key === null) return "empty";
  return typeof key === "number" ? "number" : "key";
}

/** The rows of which a value is this one. */
export function rangeOfKey(field: IndexedField, key: SortKey): ValueRange {
  return { field, valueClass: valueClassOfKey(key), range: key === null ? {} : exactly(key) };
}

/** Whether the range has only one value, so that its rows are in the order of their IDs. */
export function isOneValue({ valueClass, range: { from, to } }: ValueRange): boolean {
  return valueClass === "empty" || (from !== undefined && from === to);
}

/** Whether no row can be in the range: its field has no values of that class. */
export function isImpossible(span: IndexRange): boolean {
  return span !== "all" && "valueClass" in span && span.field.kind === "row" &&
    span.valueClass !== valueClassOf(span.field.member);
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

/** Where in a lane the filter lets a field's only value be; undefined where nowhere. */
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
  const span = rangeOfTest(field, filter.test);
  if (span === undefined) return {};
  return span.valueClass === valueClass ? span.range : undefined;
}
