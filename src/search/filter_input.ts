/**
 * Schemas of the filters of a search.
 *
 * @module
 */
import * as v from "valibot";
import { type FilterInput, filterInput, timestampConditions } from "../content/query/input.ts";
import { idInput, userIdInput } from "../content/values/ids.ts";
import { LIMITS } from "../content/values/limits.ts";
import { byKey, missing } from "../content/values/union.ts";
import { component } from "../shared/component.ts";

/** The limits of one filter. */
export const FILTER_LIMITS = {
  /** Conditions at all levels, without those on properties. */
  conditions: 100,
  nesting: LIMITS.filterNesting,
  /** Conditions on the properties of databases. */
  databases: 10,
} as const;

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
const user = v.pipe(userIdInput, v.description("ID of the user, or `me` for the caller."));
const creatorCondition = v.strictObject({ property: v.literal("created_by"), value: user });
component(creatorCondition, "SearchCreatorCondition", "Matches what a user created.");
const editorCondition = v.strictObject({ property: v.literal("last_edited_by"), value: user });
component(editorCondition, "SearchEditorCondition", "Matches what a user was the last to edit.");

const placeCondition = v.variant("property", [
  objectCondition,
  parentCondition,
  ancestorCondition,
  creatorCondition,
  editorCondition,
]);
type PlaceCondition = v.InferOutput<typeof placeCondition>;

const databaseCondition = v.strictObject({
  database_id: v.pipe(idInput, v.description("ID of a database.")),
  filter: v.exactOptional(filterInput),
});
component(
  databaseCondition,
  "SearchDatabaseCondition",
  "Matches the rows of a database. `filter` is that of a query of the database.",
);

/** A condition on a time, as a query of a database has it. */
type TimeCondition = Extract<FilterInput, { readonly timestamp: unknown }>;

/** A filter of a search as a client writes it. */
export type SearchFilterInput =
  | PlaceCondition
  | { readonly database_id: string; readonly filter?: FilterInput }
  | TimeCondition
  | { readonly and: readonly SearchFilterInput[] }
  | { readonly or: readonly SearchFilterInput[] }
  | { readonly not: SearchFilterInput };

/** A condition, or several combined. */
export const searchFilter: v.GenericSchema<unknown, SearchFilterInput> = v.lazy((input) => {
  // Sound because the members are exactly those of SearchFilterInput.
  return schemaFor(input) as v.GenericSchema<unknown, SearchFilterInput>;
});
component(
  searchFilter,
  "SearchFilter",
  "A condition on the results, or several combined by `and`, `or` and `not`.",
);

const filters = v.pipe(v.array(searchFilter), v.maxLength(LIMITS.filterArray));
const compounds = {
  and: v.strictObject({ and: filters }),
  or: v.strictObject({ or: filters }),
  not: v.strictObject({ not: searchFilter }),
};
component(compounds.and, "SearchAllConditions", "Matches results that meet all conditions.");
component(compounds.or, "SearchAnyCondition", "Matches results that meet at least one condition.");
component(compounds.not, "SearchNoCondition", "Matches results that do not meet the condition.");

const onTimestamp = byKey(
  timestampConditions,
  missing(timestampConditions, "an object with `timestamp` and one of"),
);
const members = { ...compounds, database_id: databaseCondition, property: placeCondition };
const onMembers = byKey(
  members,
  missing({ ...members, timestamp: onTimestamp }, "an object with one of"),
);
const anyFilter = v.union([
  ...Object.values(compounds),
  databaseCondition,
  ...Object.values(timestampConditions),
  placeCondition,
]);

function schemaFor(input: unknown): v.GenericSchema {
  if (input === undefined) return anyFilter;
  return typeof input === "object" && input !== null && "timestamp" in input
    ? onTimestamp
    : onMembers;
}
