/**
 * Reads sorts in the form that clients write and returns them in the form that is evaluated.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import type { Property } from "../schema/property.ts";
import { fieldOf } from "./fields.ts";
import { NEWEST_FIRST, type Sort } from "./filter.ts";
import type { SortInput } from "./input.ts";
import type { QuerySchema } from "./query_schema.ts";

/** The sorts with names resolved, newest first if there are none. Adds all issues to `issues`. */
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
  return sorts.length === 0 ? NEWEST_FIRST : sorts;
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

const CHECKBOX_VALUES = [{ number: 0, key: null }, { number: 1, key: null }];

/** Types whose values can have more than one cell. */
const MULTI_CELL_TYPES: ReadonlySet<Property["type"]> = new Set(["multi_select", "files"]);

/** Types sorted by the name of a user or page, which is stored elsewhere and can change. */
const NAME_SORTED_TYPES: ReadonlySet<Property["type"]> = new Set([
  "people",
  "relation",
  "created_by",
  "last_edited_by",
]);

function orderBy(property: Property): Omit<Sort, "descending"> {
  if (NAME_SORTED_TYPES.has(property.type)) {
    return { field: { kind: "computed", propertyId: property.id } };
  }
  const values = valuesOf(property);
  return {
    field: fieldOf(property),
    ...(values !== undefined && { values }),
    ...(!MULTI_CELL_TYPES.has(property.type) && { single: true }),
  };
}

function valuesOf(property: Property): Sort["values"] {
  if (property.type === "checkbox") return CHECKBOX_VALUES;
  if (!("options" in property)) return undefined;
  return property.options.map(({ id }) => ({ number: null, key: id }));
}
