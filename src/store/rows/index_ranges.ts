/**
 * Index ranges: stretches of the indexes over the rows of a database.
 *
 * @module
 */
import { isSameField } from "../../content/query/partial_evaluation.ts";
import { prefixRange, weightsWithin } from "../../content/schema/collation.ts";
import type { Field, Filter, LinksField, SortKey, Test } from "../../content/query/filter.ts";
import { exactly, intersect, type Range, rangeOf } from "../../content/query/ranges.ts";

/** Fields that an index orders. */
export type IndexedField = Extract<Field, { readonly kind: "cells" | "row" }>;

/** The kind of a value. An index has empty values first, then numbers, then keys. */
export type ValueClass = (typeof VALUE_CLASSES)[number];
const VALUE_CLASSES = ["empty", "number", "key"] as const;

/** Rows with a value in a range, ordered by value, then by ID. */
export interface ValueRange {
  readonly field: IndexedField;
  readonly valueClass: ValueClass;
  readonly range: Range;
  /** Only rows with these IDs. Set only if the range has a single value. */
  readonly ids?: Range;
}

/** Rows that are linked with a row; with none in or outside the trash if it is null. */
export interface LinkRange {
  readonly field: LinksField;
  readonly linkedWith: string | null;
  /** Only rows with these IDs. */
  readonly ids?: Range;
}

/**
 * Rows with a key that contains weights or may be cut off. No index finds them: each entry is read.
 */
export interface ContainingRange extends ValueRange {
  readonly containing: string;
}

/** Rows that were found otherwise than by an index. */
export interface RowList {
  readonly rowIds: readonly string[];
}

export type IndexRange =
  | ValueRange
  | ContainingRange
  | LinkRange
  | RowList
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

/** The rows whose first value is this one, and maybe others; undefined if no index has them. */
export function rangeOfFirst(field: Field, key: SortKey): ValueRange | LinkRange | undefined {
  if (field.kind === "cells" || field.kind === "row") return rangeOfKey(field, key);
  if (field.kind !== "links" || typeof key === "number") return undefined;
  return key === null && !field.withTrash ? undefined : { field, linkedWith: key };
}

/** Returns whether each entry of the range is searched. */
export function isContaining(indexRange: IndexRange): indexRange is ContainingRange {
  return indexRange !== "all" && "containing" in indexRange;
}

/** Returns whether it is a list of rows. */
export function isRowList(indexRange: IndexRange): indexRange is RowList {
  return indexRange !== "all" && "rowIds" in indexRange;
}

/** Returns whether the range has only one value, so that its rows are in the order of their IDs. */
export function isOneValue({ valueClass, range: { from, to } }: ValueRange): boolean {
  return valueClass === "empty" || (from !== undefined && from === to);
}

/** Returns whether no row can be in the range: its field has no values of that class. */
export function isImpossible(indexRange: IndexRange): boolean {
  return indexRange !== "all" && "valueClass" in indexRange && indexRange.field.kind === "row" &&
    indexRange.valueClass !== valueClassOf(indexRange.field.member);
}

/** The range of all values that pass the test, and maybe others; undefined if it is unbounded. */
export function rangeOfTest(
  field: IndexedField,
  test: Test,
): ValueRange | ContainingRange | undefined {
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

/**
 * Ranges that together have a value of each row that fails the test, and maybe of others; undefined
 * if that may be any row.
 */
export function rangesOutside(field: IndexedField, test: Test): readonly ValueRange[] | undefined {
  // Texts with the same key can differ.
  const inside = test.is === "text" ? undefined : rangeOfTest(field, test);
  return inside &&
    VALUE_CLASSES.flatMap((valueClass) =>
      valueClass === inside.valueClass
        ? outside(inside.range).map((range) => ({ field, valueClass, range }))
        : [{ field, valueClass, range: {} }]
    );
}

/** The values before and after a range. */
function outside({ from, to }: Range): Range[] {
  return [
    ...(from === undefined ? [] : [{ to: { ...from, excluded: !from.excluded } }]),
    ...(to === undefined ? [] : [{ from: { ...to, excluded: !to.excluded } }]),
  ];
}

type TestThat<Is extends Test["is"]> = Extract<Test, { readonly is: Is }>;

function rangeOfText(
  field: IndexedField,
  { how, key }: TestThat<"text">,
): ValueRange | ContainingRange | undefined {
  if (how === "equals") return rangeOfKey(field, key);
  if (how !== "starts") {
    const containing = weightsWithin(key);
    return containing === "" ? undefined : { field, valueClass: "key", range: {}, containing };
  }
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
