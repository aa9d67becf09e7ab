/**
 * Searching a workspace by meaning.
 *
 * @module
 */
import { createHash } from "node:crypto";
import * as v from "valibot";
import { idOutput } from "../../content/values/ids.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { page } from "../../content/pages/page_json.ts";
import { validationError } from "../../shared/errors.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import { byScore, type Scored } from "../../search/fuse.ts";
import { filterIssues, readScope, searchFilter, searchText } from "../../search/input.ts";
import { readPhrases } from "../../search/text/query.ts";
import { formsOf } from "../../search/words/forms.ts";
import { databasesOf, foundJsons } from "./results.ts";
import { listJson, listSchema, pageSizeOf, pagination } from "../shared/lists.ts";
import { rankByVectors, type SemanticHit } from "./vector_search.ts";
import { passageMatches } from "./passage_matches.ts";
import { withMatch } from "./keyword.ts";
import { define, type Services } from "../shared/services.ts";

/** Why a page was found by its meaning. */
export const semanticMatch = v.object({
  score: v.pipe(
    v.number(),
    v.description("How well it fits; compares results of one search alone."),
  ),
  block_id: v.pipe(
    idOutput,
    v.description("The block that the fitting passage begins with, or the page itself."),
  ),
  text: v.pipe(v.string(), v.description("Plain text of that block, or a part of it.")),
});

/** A page as a search by meaning answers it. */
export const semanticPage = v.object({ ...page.entries, match: semanticMatch });

/** How a search by meaning was made. */
export const semanticSearchInfo = v.object({
  ranked_by: v.pipe(
    v.picklist(["hybrid", "semantic", "keyword"]),
    v.description(
      "`keyword` where meaning could not tell: of a workspace that is too small to learn from, of words that it never met, or while the embedder cannot be reached.",
    ),
  ),
  due: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.maxValue(Number.MAX_SAFE_INTEGER),
    v.description("Pages and databases whose last changes are not in this ranking yet."),
  ),
});

/** What a search by meaning found. */
export const semanticResultList = listSchema("page_or_database", semanticPage, {
  search: semanticSearchInfo,
});

/** What is searched for by its meaning. */
export const semanticSearchInput = v.strictObject({
  query: v.pipe(searchText, v.minLength(1), v.description("A question, or some words.")),
  mode: v.exactOptional(
    v.pipe(
      v.picklist(["hybrid", "semantic"]),
      v.description("Whether words count beside meaning, as they do by default."),
    ),
  ),
  filter: v.exactOptional(searchFilter),
  ...pagination,
});
type SemanticSearchInput = v.InferOutput<typeof semanticSearchInput>;

export const semanticEndpoints = [
  define({
    method: "POST",
    path: "/v2/search/semantic",
    operationId: "searchByMeaning",
    tag: "Search",
    summary: "Search by meaning",
    description:
      "Finds pages and rows that are about what is asked, best first, though they may say it in other words: the best few hundred. Changes are found some seconds after they are written.",
    body: semanticSearchInput,
    response: semanticResultList,
    handle: searchByMeaning,
  }),
];

async function searchByMeaning(
  call: Call<unknown, unknown, SemanticSearchInput>,
  services: Services,
): Promise<Reply> {
  const { body, caller: { workspace }, now, requestId } = call;
  const { query, mode = "hybrid", filter, start_cursor } = body;
  const issues = filterIssues(filter);
  if (issues.length > 0) throw validationError(issues);
  const list = listName(workspace, body);
  const after = start_cursor && placeIn(services.cursors.open(start_cursor, list));
  const { store } = services;
  const [ranking, due] = await Promise.all([
    rankByVectors(services, workspace, { query, mode, scope: readScope(filter) }),
    store.countDue(workspace),
  ]);
  const behind = ranking.pages.filter((page) => !after || byScore(page, after) > 0);
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

/** Each page with its match, as JSON text; none of one that went to the trash meanwhile. */
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

/** Names the list that a cursor belongs to: who asks for what. */
function listName(workspace: string, { query, mode, filter }: SemanticSearchInput): string {
  const asked = JSON.stringify([query, mode, filter]);
  return `meaning ${workspace} ${createHash("sha256").update(asked).digest("base64url")}`;
}

function placeIn(sealed: string): Scored {
  // Sound because the cursor opened, so it was sealed here around a place.
  return JSON.parse(sealed) as Scored;
}
