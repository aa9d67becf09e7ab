/**
 * What a filter still asks once a value is known.
 *
 * @module
 */
import { type Cell, EMPTY } from "../schema/cells.ts";
import { holds } from "./evaluate.ts";
import type { Field, Filter, SortKey, Test } from "./filter.ts";

/** A field that has one cell, or none, with this number or key. */
export interface KnownValue {
  readonly field: Field;
  readonly key: SortKey;
}

/** What the filter asks of a row where this is known; true or false where that decides it. */
export function assume(filter: Filter, known: KnownValue): Filter | boolean {
  switch (filter.op) {
    case "and":
    case "or":
      return assumeIn(filter.op, filter.filters.map((part) => assume(part, known)));
    case "not": {
      const inner = assume(filter.filter, known);
      return typeof inner === "boolean" ? !inner : { op: "not", filter: inner };
    }
    case "test":
      return isSameField(filter.field, known.field)
        ? outcome(filter.test, known.key) ?? filter
        : filter;
    case "items":
      return filter;
  }
}

function assumeIn(op: "and" | "or", parts: readonly (Filter | boolean)[]): Filter | boolean {
  const decisive = op === "or";
  if (parts.includes(decisive)) return decisive;
  const filters = parts.filter((part) => typeof part !== "boolean");
  return filters.length === 0 ? !decisive : { op, filters };
}

/** Undefined where the key alone does not tell. */
function outcome(test: Test, key: SortKey): boolean | undefined {
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
