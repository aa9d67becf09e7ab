/**
 * The fields that filters and sorts read, by property.
 *
 * @module
 */
import { kindOf } from "../properties/registry.ts";
import type { Property } from "../schema/property.ts";
import type { Field, Filter, KeyField } from "./filter.ts";

/** The field that a condition on this property reads. */
export function fieldOf(property: Property): Field {
  const { member, emptyCell } = kindOf(property);
  if (member !== undefined) return { kind: "row", member };
  if (property.type === "relation") {
    return { kind: "links", relationId: property.relationId, side: property.side };
  }
  return { kind: emptyCell === undefined ? "computed" : "cells", propertyId: property.id };
}

/** Returns whether the values of a field are keys, or may be. */
export function isKeyField(field: Field): field is KeyField {
  if (field.kind === "row") return field.member === "createdBy" || field.member === "editedBy";
  return field.kind !== "computed";
}

/** The fields that a filter reads; for conditions on a rollup's items, the rollup itself. */
export function fieldsIn(filter: Filter): Field[] {
  switch (filter.op) {
    case "and":
    case "or":
      return filter.filters.flatMap(fieldsIn);
    case "not":
      return fieldsIn(filter.filter);
    case "test":
      return [filter.field];
    case "items":
      return [{ kind: "computed", propertyId: filter.propertyId }];
  }
}
