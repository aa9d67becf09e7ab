/**
 * Schemas of the requests of a keyword search.
 *
 * @module
 */
import * as v from "valibot";
import { idInput } from "../../content/values/ids.ts";
import { LIMITS } from "../../content/values/limits.ts";
import { MAX_CURSOR_LENGTH } from "../../http/cursor.ts";
import { searchFilter } from "../../search/filter_input.ts";
import { minScore, searchSort, searchText } from "../../search/input.ts";
import { component } from "../../shared/component.ts";
import { cursorInput, pagination } from "../shared/lists.ts";

/** Facets of one search. */
export const MOST_FACETS = 10;

const facet = v.strictObject({
  database_id: v.pipe(idInput, v.description("ID of a database.")),
  property: v.pipe(
    v.string(),
    v.maxLength(LIMITS.textContent),
    v.description("Name or ID of a property of type `select`, `multi_select` or `status`."),
  ),
});
component(facet, "SearchFacetInput", "A property whose options are counted in the results.");
export type FacetInput = v.InferOutput<typeof facet>;

const questionMembers = {
  query: v.exactOptional(
    v.pipe(
      searchText,
      v.description(
        'Words and quoted phrases, such as `"field notes" owl -draft`; a hyphen excludes. The last word may be incomplete. If empty or absent, everything matches.',
      ),
    ),
  ),
  words: v.exactOptional(
    v.pipe(
      v.picklist(["all", "any"]),
      v.description("Whether results contain `all` words (the default) or `any` of them."),
    ),
  ),
  filter: v.exactOptional(searchFilter),
  sort: v.exactOptional(searchSort),
  min_score: v.exactOptional(minScore),
  total: v.exactOptional(
    v.pipe(v.boolean(), v.description("Whether to count the results of the whole list.")),
  ),
  facets: v.exactOptional(
    v.pipe(
      v.array(facet),
      v.maxLength(MOST_FACETS),
      v.description("Properties whose options are counted in the results of the whole list."),
    ),
  ),
  ...pagination,
  start_cursor: v.exactOptional(v.nullable(cursorInput(MAX_CURSOR_LENGTH))),
};
const alsoInput = v.strictObject(questionMembers);
component(alsoInput, "AlsoSearchInput", "A further search, answered as if it were sent alone.");
export type SearchQuestion = v.InferOutput<typeof alsoInput>;

export const searchInput = v.strictObject({
  ...questionMembers,
  also: v.exactOptional(
    v.pipe(
      v.array(alsoInput),
      v.maxLength(LIMITS.alsoSearches),
      v.description("Further searches in the same request."),
    ),
  ),
});
component(
  searchInput,
  "SearchInput",
  "Query, filter, sort order, counts and pagination. All are optional.",
);
export type SearchInput = v.InferOutput<typeof searchInput>;
