/**
 * Spans: stretches of the indexes that the rows of a database can be found by.
 *
 * @module
 */
import { isSameField } from "../../content/query/assume.ts";
import { prefixRange } from "../../content/query/collation.ts";
import type { Field, Filter, SortKey, Test } from "../../content/query/filter.ts";
import { exactly, intersect, type Range, rangeOf } from "../../content/query/ranges.ts";

/** Fields that an index orders. */
export type IndexedField = Extract<Field, { readonly kind: "cells" | "row" }>;
export type LinksField = Extract<Field, { readonly kind: "links" }>;

/** Where in its index a value stands: empty ones first, then numbers, then keys. */
export type Lane = "empty" | "number" | "key";

/** Rows of which a value lies in a range, in the order of the values, then of their ids. */
export interface ValueSpan {
  readonly field: IndexedField;
  readonly lane: Lane;
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

export type Span =
  | ValueSpan
  | LinkSpan
  /** Every row that is asked for, by whether it is in the trash. */
  | "all";

/** Where the values of a row's member stand. */
export function laneOf(member: Extract<Field, { readonly kind: "row" }>["member"]): Lane {
  return member.endsWith("Time") ? "number" : "key";
}

/** Where a value stands. */
export function laneOfKey(key: SortKey): Lane {
  if (key === null) return "empty";
  return typeof key === "number" ? "number" : "key";
}

/** The rows of which a value is this one. */
export function spanOfKey(field: IndexedField, key: SortKey): ValueSpan {
  return { field, lane: laneOfKey(key), range: key === null ? {} : exactly(key) };
}

/** Whether all values of the span are one, so that its rows stand in the order of their ids. */
export function isOneValue({ lane, range: { from, to } }: ValueSpan): boolean {
  return lane === "empty" || (from !== undefined && from === to);
}

/** Whether no row can be in the span: its field has no values of that kind. */
export function isImpossible(span: Span): boolean {
  return span !== "all" && "lane" in span && span.field.kind === "row" &&
    span.lane !== laneOf(span.field.member);
}

/** Where all values lie that pass the test, and maybe others; undefined where that is anywhere. */
export function spanOfTest(field: IndexedField, test: Test): ValueSpan | undefined {
  switch (test.is) {
    case "empty":
      return spanOfKey(field, null);
    case "between":
      return { field, lane: "number", range: rangeOf(test) };
    case "key":
      return spanOfKey(field, test.key);
    case "text":
      return spanOfText(field, test);
  }
}

type TestThat<Is extends Test["is"]> = Extract<Test, { readonly is: Is }>;

function spanOfText(
  field: IndexedField,
  { how, key }: TestThat<"text">,
): ValueSpan | undefined {
  if (how === "equals") return spanOfKey(field, key);
  if (how !== "starts") return undefined;
  const { from, to } = prefixRange(key);
  const range = { from: { value: from, excluded: false }, to: { value: to, excluded: true } };
  return { field, lane: "key", range };
}

/** Where in a lane the filter lets a field's only value be; undefined where nowhere. */
export function rangeIn(
  lane: Lane,
  field: IndexedField,
  filter: Filter | undefined,
): Range | undefined {
  if (filter?.op === "and") {
    return filter.filters.reduce<Range | undefined>((range, part) => {
      const own = range && rangeIn(lane, field, part);
      return own && range && intersect(range, own);
    }, {});
  }
  if (filter?.op !== "test" || !isSameField(filter.field, field)) return {};
  const span = spanOfTest(field, filter.test);
  if (span === undefined) return {};
  return span.lane === lane ? span.range : undefined;
}
