/**
 * From sorts as clients write them to the order of rows.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
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

const TICKS = [{ number: 0, key: null }, { number: 1, key: null }];

/** Types whose values have one cell for each item. */
const SEVERAL: ReadonlySet<Property["type"]> = new Set(["multi_select", "files"]);

/** Types whose values are names and titles that stand elsewhere and change by themselves. */
const NAMED: ReadonlySet<Property["type"]> = new Set([
  "people",
  "relation",
  "created_by",
  "last_edited_by",
]);

function orderBy(property: Property): Omit<Sort, "descending"> {
  if (NAMED.has(property.type)) return { field: { kind: "computed", propertyId: property.id } };
  const values = valuesOf(property);
  return {
    field: fieldOf(property),
    ...(values !== undefined && { values }),
    ...(!SEVERAL.has(property.type) && { single: true }),
  };
}

function valuesOf(property: Property): Sort["values"] {
  if (property.type === "checkbox") return TICKS;
  if (!("options" in property)) return undefined;
  return property.options.map(({ id }) => ({ number: null, key: id }));
}
