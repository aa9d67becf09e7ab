/**
 * Reads sorts in the form that clients write and returns them in the form that is evaluated.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import { kindOf } from "../properties/registry.ts";
import type { Property } from "../schema/property.ts";
import { fieldOf, isKeyField } from "./fields.ts";
import { NEWEST_FIRST, type Sort } from "./filter.ts";
import type { SortInput } from "./input.ts";
import { isSameField } from "./partial_evaluation.ts";
import type { QuerySchema } from "./query_schema.ts";

/**
 * The sorts with names resolved, each field once, newest first if there are none. Adds all issues to
 * `issues`.
 */
export function readSorts(
  inputs: readonly SortInput[],
  schema: QuerySchema,
  issues: ValidationIssue[],
): readonly Sort[] {
  const sorts = inputs.flatMap((input, index) => {
    const sort = readSort(input, schema);
    if (sort !== undefined) return [sort];
    issues.push(unknownProperty(input, index));
    return [];
  });
  return sorts.length === 0 ? NEWEST_FIRST : sorts.filter(isFirstOfField);
}

/** Rows that a later sort by the same field would compare have the same key. */
function isFirstOfField({ field }: Sort, index: number, sorts: readonly Sort[]): boolean {
  return sorts.findIndex((sort) => isSameField(sort.field, field)) === index;
}

function readSort(input: SortInput, schema: QuerySchema): Sort | undefined {
  const descending = input.direction === "descending";
  if ("timestamp" in input) {
    const member = input.timestamp === "created_time" ? "createdTime" : "editedTime";
    return { field: { kind: "row", member }, descending };
  }
  const property = schema.find(input.property);
  return property && { ...orderBy(property), descending };
}

function unknownProperty(input: SortInput, index: number): ValidationIssue {
  const name = "property" in input ? input.property : input.timestamp;
  return {
    pointer: `${pointerTo("/sorts", index)}/property`,
    detail: `Could not find sort property with name or id: ${name}`,
  };
}

function orderBy(property: Property): Omit<Sort, "descending"> {
  const { userIds, order, cells } = kindOf(property);
  const field = fieldOf(property);
  // Names of users and titles of rows are stored elsewhere and can change.
  const isByName = userIds !== undefined || property.type === "relation";
  if (isByName && isKeyField(field)) {
    return { field: { kind: "computed", propertyId: property.id }, nameOf: field };
  }
  return {
    field,
    ...(order !== undefined && { values: order(property) }),
    ...(cells === undefined && { single: true }),
  };
}
