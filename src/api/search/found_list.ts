/**
 * Schemas of the answers of a keyword search.
 *
 * @module
 */
import * as v from "valibot";
import { database } from "../../content/databases/json.ts";
import { page } from "../../content/pages/page_json.ts";
import { optionColor } from "../../content/values/colors.ts";
import { idOutput } from "../../content/values/ids.ts";
import { LIMITS } from "../../content/values/limits.ts";
import { component } from "../../shared/component.ts";
import { withMember } from "../../shared/json_text.ts";
import type { Text } from "../../shared/long_text.ts";
import type { Tag } from "../../http/endpoint.ts";
import { listSchema } from "../shared/lists.ts";
import { MOST_FACETS } from "./keyword_input.ts";
import { searchMatch } from "./matches.ts";

export const SEARCH: Tag = {
  name: "Search",
  description: "Search the workspace by keywords or by meaning.",
};

const score = v.pipe(
  v.nullable(v.number()),
  v.description(
    "Relevance by words (BM25), comparable only within one search. Null if the results are sorted by time.",
  ),
);
const scoredMatch = v.object({ score, ...searchMatch.entries });
component(scoredMatch, "SearchMatch", "The excerpt that matches the query.");

const match = v.pipe(
  v.nullable(scoredMatch),
  v.description("Null if the request has no query."),
);

const foundPage = component(
  v.object({ ...page.entries, match }),
  "FoundPage",
  "A page or row that matches the search.",
);
const foundDatabase = component(
  v.object({ ...database.entries, match }),
  "FoundDatabase",
  "A database that matches the search.",
);
const keywordSearchInfo = v.object({
  words: v.pipe(
    v.picklist(["all", "any"]),
    v.description(
      "Whether the results have `all` words or `any` of them. If no page has all words, pages with any of them are found.",
    ),
  ),
  corrected_query: v.pipe(
    v.nullable(v.pipe(v.string(), v.maxLength(64 * LIMITS.searchText))),
    v.description(
      "What was searched for in place of the query, if no page has its words as they are spelt, or beside it, if one or two have; otherwise null.",
    ),
  ),
});
component(keywordSearchInfo, "KeywordSearch", "How the search was made.");

const count = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.maxValue(Number.MAX_SAFE_INTEGER),
);
const relation = v.pipe(
  v.picklist(["exact", "at_least"]),
  v.description("`at_least` if there are too many results to count them all."),
);
const total = v.object({ value: count, relation });
component(
  total,
  "SearchTotal",
  "The number of results on all pages of the list. Present if the request asks for it.",
);
export type Total = v.InferOutput<typeof total>;

const optionCount = v.object({
  id: v.string(),
  name: v.string(),
  color: optionColor,
  count: v.pipe(count, v.description("Number of results with this option.")),
});
component(optionCount, "OptionCount", "An option, and how many results have it.");
const facet = v.object({
  database_id: idOutput,
  property_id: v.string(),
  property: v.pipe(v.string(), v.description("Name of the property.")),
  options: v.pipe(
    v.array(optionCount),
    v.maxLength(LIMITS.options),
    v.description("Options that results have, the most common first."),
  ),
  empty: v.pipe(count, v.description("Number of rows among the results without an option.")),
  relation,
});
component(facet, "SearchFacet", "How many results have each option of a property.");
export type Facet = v.InferOutput<typeof facet>;

const counts = {
  total: v.exactOptional(total),
  facets: v.exactOptional(
    v.pipe(
      v.array(facet),
      v.maxLength(MOST_FACETS),
      v.description("In the order of the request's `facets`. Present if it has any."),
    ),
  ),
};
const foundObjects = v.variant("object", [foundPage, foundDatabase]);
const alsoFound = component(
  listSchema("page_or_database", foundObjects, { search: keywordSearchInfo, ...counts }),
  "AlsoFoundList",
  "One page of the results of a further search.",
);
export const foundList = component(
  listSchema("page_or_database", foundObjects, {
    search: keywordSearchInfo,
    ...counts,
    also: v.exactOptional(
      v.pipe(
        v.array(alsoFound),
        v.maxLength(LIMITS.alsoSearches),
        v.description("The results of the request's `also`, in its order."),
      ),
    ),
  }),
  "FoundList",
  "One page of search results.",
);

/** Adds the member `match` to the JSON text of an object. */
export function withMatch(json: Text, match: unknown): Text {
  return withMember(json, "match", JSON.stringify(match));
}
