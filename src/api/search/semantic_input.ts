/**
 * Semantic search: the schemas of requests and replies.
 *
 * @module
 */
import * as v from "valibot";
import { page } from "../../content/pages/page_json.ts";
import { idOutput } from "../../content/values/ids.ts";
import { searchFilter } from "../../search/filter_input.ts";
import { minScore, searchText } from "../../search/input.ts";
import { component } from "../../shared/component.ts";
import { listSchema, pagination } from "../shared/lists.ts";

const semanticMatch = v.object({
  score: v.pipe(
    v.number(),
    v.description("Relevance of the passage. Comparable only within one list of results."),
  ),
  block_id: v.pipe(
    idOutput,
    v.description("ID of the block at which the matching passage begins, or of the page itself."),
  ),
  text: v.pipe(v.string(), v.description("Plain text of that block, or an excerpt of it.")),
});

component(semanticMatch, "SemanticMatch", "The passage that matches the search, and its score.");

const semanticPage = component(
  v.object({ ...page.entries, match: semanticMatch }),
  "SemanticPage",
  "A page or row with a passage that matches the search.",
);

const semanticSearchInfo = v.object({
  ranked_by: v.pipe(
    v.picklist(["hybrid", "semantic", "keyword"]),
    v.description(
      "How the results are ranked. `keyword` is the fallback: the workspace is too small to learn from, the words of the query are unknown to it, or the embedder is unreachable.",
    ),
  ),
  due: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.maxValue(Number.MAX_SAFE_INTEGER),
    v.description("Number of pages and databases whose latest changes are not indexed yet."),
  ),
});

component(semanticSearchInfo, "SemanticSearch", "How the search was made.");

export const semanticResultList = component(
  listSchema("page_or_database", semanticPage, { search: semanticSearchInfo }),
  "SemanticResultList",
  "One page of semantic search results.",
);

export const semanticSearchInput = v.strictObject({
  query: v.pipe(searchText, v.minLength(1), v.description("A question or keywords.")),
  mode: v.exactOptional(
    v.pipe(
      v.picklist(["hybrid", "semantic"]),
      v.description(
        "`hybrid` (the default) ranks by meaning and keywords, `semantic` by meaning alone.",
      ),
    ),
  ),
  filter: v.exactOptional(searchFilter),
  min_score: v.exactOptional(minScore),
  ...pagination,
});
component(
  semanticSearchInput,
  "SemanticSearchInput",
  "Query, mode, filter, least score and pagination.",
);
/** A request. */
export type SemanticSearchInput = v.InferOutput<typeof semanticSearchInput>;
