/**
 * Semantic search: passages by meaning.
 *
 * @module
 */
import { createHash } from "node:crypto";
import * as v from "valibot";
import { idOutput } from "../../content/values/ids.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { page } from "../../content/pages/page_json.ts";
import { component } from "../../shared/component.ts";
import { validationError, type ValidationIssue } from "../../shared/errors.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import { byScore, type Scored } from "../../search/fuse.ts";
import { searchFilter } from "../../search/filter_input.ts";
import { minScore, searchText } from "../../search/input.ts";
import { readPhrases } from "../../search/text/query.ts";
import { formsOf } from "../../search/words/forms.ts";
import { databasesOf, foundJsons } from "./results.ts";
import * as example from "../shared/examples.ts";
import { listJson, listSchema, pageSizeOf, pagination } from "../shared/lists.ts";
import { rankByVectors, type SemanticHit } from "./vector_search.ts";
import { readSearchFilter, withSelection } from "./filters.ts";
import { passageMatches } from "./passage_matches.ts";
import { SEARCH, withMatch } from "./found_list.ts";
import { define, type Services } from "../shared/services.ts";

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

const semanticResultList = component(
  listSchema("page_or_database", semanticPage, { search: semanticSearchInfo }),
  "SemanticResultList",
  "One page of semantic search results.",
);

const semanticSearchInput = v.strictObject({
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
type SemanticSearchInput = v.InferOutput<typeof semanticSearchInput>;

export const semanticEndpoints = [
  define({
    method: "POST",
    path: "/v2/search/semantic",
    readsOnly: true,
    needsPrimary: true,
    operationId: "searchByMeaning",
    tag: SEARCH,
    summary: "Search by meaning",
    description:
      "Finds pages and rows by what they are about, even if they use other words, best match first. The list ends after a few hundred results. Changes are searchable some seconds after they are written.",
    body: semanticSearchInput,
    response: semanticResultList,
    example: {
      request: { query: "Where do swallows breed?", mode: "hybrid", page_size: 20 },
      response: {
        ...example.list("page_or_database", [{
          ...example.page,
          match: { score: 1.25, block_id: example.TO_DO, text: "Count the nests" },
        }]),
        search: { ranked_by: "hybrid", due: 0 },
      },
    },
    handle: searchByMeaning,
  }),
];

async function searchByMeaning(
  call: Call<unknown, unknown, SemanticSearchInput>,
  services: Services,
): Promise<Reply> {
  const { body, caller: { workspace }, now, requestId } = call;
  const { query, mode = "hybrid", filter, start_cursor } = body;
  const asking = { ...call, pointer: "" };
  const issues: ValidationIssue[] = [];
  const selecting = await readSearchFilter(services, asking, filter, issues);
  if (issues.length > 0) throw validationError(issues);
  const list = listName(workspace, body);
  const after = start_cursor && placeIn(services.cursors.open(start_cursor, list));
  const { store } = services;
  const [ranking, due] = await Promise.all([
    withSelection(
      services,
      asking,
      selecting,
      (selection) => rankByVectors(services, workspace, { query, mode, selection }),
    ),
    store.countDue(workspace),
  ]);
  const { min_score = -Infinity } = body;
  const behind = ranking.pages.filter((page) =>
    page.score >= min_score && (!after || byScore(page, after) > 0)
  );
  const shown = behind.slice(0, pageSizeOf(body));
  const last = behind.length > shown.length ? shown.at(-1) : undefined;
  return {
    body: listJson({
      type: "page_or_database",
      results: await resultsOf(services, workspace, { pages: shown, query, now }),
      nextCursor: last === undefined
        ? null
        : services.cursors.seal(JSON.stringify({ pageId: last.pageId, score: last.score }), list),
      requestId,
      more: { search: { ranked_by: ranking.rankedBy, due } },
    }),
  };
}

interface Results {
  readonly pages: readonly SemanticHit[];
  readonly query: string;
  readonly now: number;
}

/** Returns each page with its match as JSON text, except pages that were trashed in the meantime. */
async function resultsOf(
  services: Services,
  workspace: string,
  { pages, query, now }: Results,
): Promise<string[]> {
  const found = await services.store.nodes(workspace, pages.map(({ pageId }) => pageId));
  const byId = new Map(found.map((node) => [node.id, node]));
  const shown = pages.flatMap((page) => {
    const node = byId.get(page.pageId);
    return isLiving(node) ? [{ ...page, node }] : [];
  });
  const nodes = shown.map(({ node }) => node);
  const databases = await databasesOf(services, workspace, nodes);
  const jsons = await foundJsons(services, workspace, { nodes, databases, now });
  const phrases = formsOf(readPhrases(query));
  const matches = await passageMatches(services, workspace, { pages: shown, phrases, databases });
  return jsons.map((json, index) => withMatch(json, matches[index]));
}

function isLiving(node: NodeView | undefined): node is NodeView {
  return node !== undefined && node.trashRoot === null;
}

/** Names the list that a cursor belongs to, by workspace and query. */
function listName(
  workspace: string,
  { query, mode, filter, min_score }: SemanticSearchInput,
): string {
  const question = JSON.stringify([query, mode, filter, min_score]);
  return `meaning ${workspace} ${createHash("sha256").update(question).digest("base64url")}`;
}

function placeIn(sealed: string): Scored {
  // Sound because a cursor that opens was sealed by this service.
  return JSON.parse(sealed) as Scored;
}
