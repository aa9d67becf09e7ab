/**
 * The fields that filters and sorts read, by property.
 *
 * @module
 */
import type { Property } from "../schema/property.ts";
import type { Field, Filter } from "./filter.ts";

/** The field that a condition on this property reads. */
export function fieldOf(property: Property): Field {
  switch (property.type) {
    case "created_time":
      return { kind: "row", member: "createdTime" };
    case "last_edited_time":
      return { kind: "row", member: "editedTime" };
    case "created_by":
      return { kind: "row", member: "createdBy" };
    case "last_edited_by":
      return { kind: "row", member: "editedBy" };
    case "relation":
      return { kind: "links", relationId: property.relationId, side: property.side };
    case "formula":
    case "rollup":
    case "button":
      return { kind: "computed", propertyId: property.id };
    default:
      return { kind: "cells", propertyId: property.id };
  }
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
