/**
 * From sorts as clients write them to the order of rows.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import { kindOf } from "../properties/registry.ts";
import type { Property } from "../schema/property.ts";
import { fieldOf } from "./fields.ts";
import { NEWEST_FIRST, type Sort } from "./filter.ts";
import type { SortInput } from "./input.ts";
import type { QuerySchema } from "./scope.ts";

/** The order that sorts ask for, newest first where there are none; faults are added to `faults`. */
export function readSorts(
  inputs: readonly SortInput[],
  scope: QuerySchema,
  issues: ValidationIssue[],
): readonly Sort[] {
  const sorts = inputs.flatMap((input, index) => {
    const sort = readSort(input, scope);
    if (sort !== undefined) return [sort];
    issues.push(unknown(input, index));
    return [];
  });
  return sorts.length === 0 ? NEWEST_FIRST : sorts;
}

function readSort(input: SortInput, scope: QuerySchema): Sort | undefined {
  const descending = input.direction === "descending";
  if ("timestamp" in input) {
    const member = input.timestamp === "created_time" ? "createdTime" : "editedTime";
    return { field: { kind: "row", member }, descending };
  }
  const property = scope.find(input.property);
  return property && { ...orderBy(property), descending };
}

function unknown(input: SortInput, index: number): ValidationIssue {
  const name = "property" in input ? input.property : input.timestamp;
  return {
    pointer: `${pointerTo("/sorts", index)}/property`,
    detail: `Could not find sort property with name or id: ${name}`,
  };
}

function orderBy(property: Property): Omit<Sort, "descending"> {
  const { userIds, order, cells } = kindOf(property);
  // Names of users and titles of rows are stored elsewhere, and change by themselves.
  if (userIds !== undefined || property.type === "relation") {
    return { field: { kind: "computed", propertyId: property.id } };
  }
  return {
    field: fieldOf(property),
    ...(order !== undefined && { values: order(property) }),
    ...(cells === undefined && { single: true }),
  };
}
