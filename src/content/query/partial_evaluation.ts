/**
 * Partial evaluation of filters: what is left of a filter once the value of one field is known.
 *
 * @module
 */
import { type Cell, EMPTY } from "../schema/cells.ts";
import { holds } from "./evaluate.ts";
import type { Field, Filter, SortKey, Test } from "./filter.ts";

/** A field with at most one cell, and the number or key in that cell. */
export interface FieldValue {
  readonly field: Field;
  readonly key: SortKey;
}

/** The rest of the filter for rows with this value; true or false if the value decides it. */
export function evaluatePartially(filter: Filter, value: FieldValue): Filter | boolean {
  switch (filter.op) {
    case "and":
    case "or":
      return combine(filter.op, filter.filters.map((part) => evaluatePartially(part, value)));
    case "not": {
      const inner = evaluatePartially(filter.filter, value);
      return typeof inner === "boolean" ? !inner : { op: "not", filter: inner };
    }
    case "test":
      return isSameField(filter.field, value.field)
        ? decide(filter.test, value.key) ?? filter
        : filter;
    case "items":
      return filter;
  }
}

function combine(op: "and" | "or", parts: readonly (Filter | boolean)[]): Filter | boolean {
  const decisive = op === "or";
  if (parts.includes(decisive)) return decisive;
  const filters = parts.filter((part) => typeof part !== "boolean");
  return filters.length === 0 ? !decisive : { op, filters };
}

/** Undefined if the key alone does not decide the test: text tests need the whole text. */
function decide(test: Test, key: SortKey): boolean | undefined {
  if (test.is === "text" && typeof key === "string") return undefined;
  return holds(test, [cellOf(key)]);
}

function cellOf(key: SortKey): Cell {
  return typeof key === "number" ? { ...EMPTY, number: key } : { ...EMPTY, key };
}

export function isSameField(one: Field, other: Field): boolean {
  if (one.kind === "row") return other.kind === "row" && one.member === other.member;
  if (one.kind === "links") {
    return other.kind === "links" && one.relationId === other.relationId &&
      one.side === other.side;
  }
  return one.kind === other.kind && one.propertyId === other.propertyId;
}
