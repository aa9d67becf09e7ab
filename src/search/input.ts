/**
 * The input of a search.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../shared/component.ts";
import { idInput, normalizeId } from "../content/values/ids.ts";
import { LIMITS } from "../content/values/limits.ts";
import { byKey } from "../content/values/union.ts";
import type { ValidationIssue } from "../shared/errors.ts";

const objectCondition = v.strictObject({
  property: v.literal("object"),
  value: v.pipe(
    v.picklist(["page", "database"]),
    v.description("Rows of databases count as pages."),
  ),
});
component(objectCondition, "SearchObjectCondition", "Matches only pages, or only databases.");
const parentCondition = v.strictObject({ property: v.literal("parent"), value: idInput });
component(
  parentCondition,
  "SearchParentCondition",
  "Matches the direct children of a page, database or block.",
);
const ancestorCondition = v.strictObject({ property: v.literal("ancestor"), value: idInput });
component(
  ancestorCondition,
  "SearchAncestorCondition",
  "Matches everything in a page, database or block, at any depth.",
);

/** One condition on the results. */
export const searchCondition = v.variant("property", [
  objectCondition,
  parentCondition,
  ancestorCondition,
]);
type SearchCondition = v.InferOutput<typeof searchCondition>;

const everyCondition = v.strictObject({
  and: v.pipe(v.array(searchCondition), v.maxLength(searchCondition.options.length)),
});
component(
  everyCondition,
  "SearchAllConditions",
  "Matches results that meet all conditions, at most one on each property.",
);

/** Schemas of the conditions, by their name in the OpenAPI document. */
export const searchConditions = {
  SearchObjectCondition: objectCondition,
  SearchParentCondition: parentCondition,
  SearchAncestorCondition: ancestorCondition,
  SearchAllConditions: everyCondition,
};

/** A condition, or several under `and`. */
export const searchFilter = byKey({ and: everyCondition, property: searchCondition });
component(
  searchFilter,
  "SearchFilter",
  "A condition on the results, or several conditions combined by `and`.",
);
export type SearchFilter = v.InferOutput<typeof searchFilter>;

/** The order of a search without a query. */
export const searchSort = v.strictObject({
  timestamp: v.literal("last_edited_time"),
  direction: v.picklist(["ascending", "descending"]),
});
component(
  searchSort,
  "SearchSort",
  "Sorts results by the time of their last edit. Without it the best matches come first; without a query, the last edited.",
);

/** The query text. */
export const searchText = v.pipe(v.string(), v.maxLength(LIMITS.searchText));

/** The pages and databases to search; by default the whole workspace. */
export interface SearchScope {
  readonly kind?: "page" | "database";
  readonly parentId?: string;
  readonly ancestorId?: string;
}

/** Converts a filter to a scope. */
export function readScope(filter: SearchFilter | undefined): SearchScope {
  return conditionsIn(filter).reduce<SearchScope>((scope, { property, value }) => {
    if (property === "object") return { ...scope, kind: value };
    const id = normalizeId(value);
    return property === "parent" ? { ...scope, parentId: id } : { ...scope, ancestorId: id };
  }, {});
}

/** Returns an issue for each repeated condition on the same property. */
export function filterIssues(filter: SearchFilter | undefined): ValidationIssue[] {
  const properties = conditionsIn(filter).map(({ property }) => property);
  return properties.flatMap((property, index) =>
    properties.indexOf(property) === index ? [] : [{
      pointer: `/filter/and/${index}/property`,
      detail: `There is already a condition on \`${property}\`.`,
    }]
  );
}

function conditionsIn(filter: SearchFilter | undefined): readonly SearchCondition[] {
  if (filter === undefined) return [];
  return "and" in filter ? filter.and : [filter];
}
