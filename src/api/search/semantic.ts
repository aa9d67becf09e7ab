/**
 * Semantic search: passages by meaning.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { createReplyBudget } from "../../content/formulas/compute_budget.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { fitting } from "../../content/values/page_end.ts";
import { validationError } from "../../shared/errors.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import { byScore, type Scored } from "../../search/fuse.ts";
import type { Phrase } from "../../search/text/query.ts";
import { databasesOf, foundJsons } from "./results.ts";
import { guardedTextIssues } from "../shared/guarded_fields.ts";
import { listJson, pageSizeOf } from "../shared/lists.ts";
import { rankByVectors, type SemanticHit } from "./vector_search.ts";
import { readSearchFilter, withSelection } from "./filters.ts";
import { passageMatches } from "./passage_matches.ts";
import { withMatch } from "./found_list.ts";
import type { Text } from "../../shared/long_text.ts";
import { createRest, type Rest } from "../../shared/yield_to_event_loop.ts";
import type { SemanticSearchInput } from "./semantic_input.ts";
import type { Services } from "../shared/services.ts";
import { withStableSchemas } from "../shared/stable_schemas.ts";
import type { NodeReader } from "../../store/port.ts";

/** Answers `POST /v2/search/semantic`. */
export function searchByMeaning(
  call: Call<unknown, unknown, SemanticSearchInput>,
  services: Services,
): Promise<Reply> {
  return withStableSchemas(
    services,
    call.caller.workspace,
    (reading) => searchOnce(call, reading.services),
    { rowsFirst: true },
  );
}

async function searchOnce(
  call: Call<unknown, unknown, SemanticSearchInput>,
  services: Services,
): Promise<Reply> {
  const { body, caller: { workspace }, now, requestId } = call;
  const { query, mode = "hybrid", filter, start_cursor } = body;
  const asking = { ...call, pointer: "" };
  const issues = guardedTextIssues(call.hidden, "/query");
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
  const rest = createRest();
  const { pages, nodes } = await firstPages(store, workspace, behind.slice(0, pageSizeOf(body)));
  await rest();
  const shown = livingPages(pages, nodes);
  const { phrases } = ranking;
  const printed = await resultsOf(services, workspace, { pages: shown, phrases, now, rest });
  const results = fitting(printed, ({ length }) => length);
  const lastShown = results.length < shown.length ? shown[results.length - 1] : pages.at(-1);
  const isWhole = results.length === shown.length && pages.length === behind.length;
  const last = isWhole ? undefined : lastShown;
  return {
    body: listJson({
      type: "page_or_database",
      results,
      nextCursor: last === undefined
        ? null
        : services.cursors.seal(JSON.stringify({ pageId: last.pageId, score: last.score }), list),
      requestId,
      more: { search: { ranked_by: ranking.rankedBy, due } },
    }),
  };
}

/** Returns as many of these pages as fit into a page of a list, with the nodes that still exist. */
async function firstPages(
  store: NodeReader,
  workspace: string,
  pages: readonly SemanticHit[],
): Promise<{ readonly pages: readonly SemanticHit[]; readonly nodes: readonly NodeView[] }> {
  const found = await store.firstNodes(workspace, pages.map(({ pageId }) => pageId));
  const nodes = fitting(found, ({ doc }) => doc.length);
  if (nodes.length === found.length) return { pages, nodes };
  const last = nodes.at(-1)?.id;
  return { pages: pages.slice(0, pages.findIndex(({ pageId }) => pageId === last) + 1), nodes };
}

type SemanticPage = SemanticHit & { readonly node: NodeView };

/** Returns the pages with their nodes, except pages that were trashed in the meantime. */
function livingPages(
  pages: readonly SemanticHit[],
  nodes: readonly NodeView[],
): readonly SemanticPage[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return pages.flatMap((page) => {
    const node = byId.get(page.pageId);
    return isLiving(node) ? [{ ...page, node }] : [];
  });
}

interface Results {
  readonly pages: readonly SemanticPage[];
  readonly phrases: readonly Phrase[];
  readonly now: number;
  readonly rest: Rest;
}

/** Returns each page with its match as JSON text. */
async function resultsOf(
  services: Services,
  workspace: string,
  { pages, phrases, now, rest }: Results,
): Promise<Text[]> {
  const nodes = pages.map(({ node }) => node);
  const databases = await databasesOf(services, workspace, nodes);
  const jsons = await foundJsons(services, workspace, {
    nodes,
    databases,
    work: createReplyBudget(),
    now,
  });
  await rest();
  const matches = await passageMatches(services, workspace, { pages, phrases, databases });
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
