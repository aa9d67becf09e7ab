/**
 * Keyword search.
 *
 * @module
 */
import { createHash } from "node:crypto";
import * as v from "valibot";
import { database } from "../../content/databases/json.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { LIMITS } from "../../content/values/limits.ts";
import { fitting } from "../../content/values/page_end.ts";
import { page } from "../../content/pages/page_json.ts";
import { component } from "../../shared/component.ts";
import { validationError, type ValidationIssue } from "../../shared/errors.ts";
import { MAX_CURSOR_LENGTH } from "../../http/cursor.ts";
import type { Call, Reply, Tag } from "../../http/endpoint.ts";
import {
  filterIssues,
  readScope,
  searchFilter,
  searchSort,
  searchText,
} from "../../search/input.ts";
import { type Phrase, readQuery, titleAskedFor } from "../../search/text/query.ts";
import { formsOf } from "../../search/words/forms.ts";
import type { EditCursor, WordIndex } from "../../store/port.ts";
import { databasesOf, foundJsons } from "./results.ts";
import * as example from "../shared/examples.ts";
import { cursorInput, listJson, listSchema, pageSizeOf, pagination } from "../shared/lists.ts";
import { matchesOf, searchMatch } from "./matches.ts";
import { createRest, type Rest } from "../../shared/yield_to_event_loop.ts";
import { define, type Services } from "../shared/services.ts";
import {
  type Relaxation,
  type RelaxedCursor,
  type RelaxedHits,
  relaxedSearch,
} from "./relaxed_search.ts";
import { pagesWithAny, pagesWithWords, type WordCursor, type WordSearch } from "./word_search.ts";

const match = v.pipe(
  v.nullable(searchMatch),
  v.description("Null if the request has no query."),
);

export const SEARCH: Tag = {
  name: "Search",
  description: "Search the workspace by keywords or by meaning.",
};

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
      "What was searched for in place of the query, if no page has its words as they are spelt; otherwise null.",
    ),
  ),
});
component(keywordSearchInfo, "KeywordSearch", "How the search was made.");

const foundList = component(
  listSchema("page_or_database", v.variant("object", [foundPage, foundDatabase]), {
    search: keywordSearchInfo,
  }),
  "FoundList",
  "One page of search results.",
);

const searchInput = v.strictObject({
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
  ...pagination,
  start_cursor: v.exactOptional(v.nullable(cursorInput(MAX_CURSOR_LENGTH))),
});
component(
  searchInput,
  "SearchInput",
  "Query, filter, sort order and pagination. All are optional.",
);

export const searchEndpoints = [
  define({
    method: "POST",
    path: "/v2/search",
    readsOnly: true,
    operationId: "search",
    tag: SEARCH,
    summary: "Search by keywords",
    description:
      "Finds pages, rows and databases by the words in their titles, properties and content, best match first. Changes are searchable as soon as they are written. Objects in the trash are not found.",
    body: searchInput,
    response: foundList,
    example: {
      request: {
        query: "count nest",
        filter: { property: "object", value: "page" },
        page_size: 20,
      },
      response: {
        ...example.list("page_or_database", [{
          ...example.page,
          match: {
            block_id: example.TO_DO,
            text: "Count the nests",
            highlights: [{ start: 0, end: 5 }, { start: 10, end: 15 }],
          },
        }]),
        search: { words: "all", corrected_query: null },
      },
    },
    handle: search,
  }),
];

type SearchInput = v.InferOutput<typeof searchInput>;

async function search(
  call: Call<unknown, unknown, SearchInput>,
  services: Services,
): Promise<Reply> {
  const { body, caller: { workspace }, now, requestId } = call;
  const issues = [...filterIssues(body.filter), ...orderIssues(body)];
  if (issues.length > 0) throw validationError(issues);
  const list = listName(workspace, body);
  const limit = pageSizeOf(body);
  const place = placeIn(body.start_cursor, (cursor) => services.cursors.open(cursor, list));
  const rest = createRest();
  const found = await find(services, workspace, { body, place, limit: limit + 1 });
  await rest();
  const shown = fitting(found.nodes.slice(0, limit), ({ node }) => node.doc.length);
  const last = found.nodes.length > shown.length ? shown.at(-1)?.place : found.next;
  // Some may have been moved to the trash since.
  const nodes = shown.flatMap(({ node }) => node.trashRoot === null ? [node] : []);
  const { phrases, relaxation } = found;
  return {
    body: listJson({
      type: "page_or_database",
      results: await resultsOf(services, workspace, { nodes, phrases, now, rest }),
      nextCursor: last === undefined
        ? null
        : services.cursors.seal(JSON.stringify({ ...last, ...relaxation }), list),
      requestId,
      more: {
        search: {
          words: body.words === "any" || relaxation.isAny === true ? "any" : "all",
          corrected_query: relaxation.corrected ?? null,
        },
      },
    }),
  };
}

function orderIssues({ words, sort }: SearchInput): ValidationIssue[] {
  if (words !== "any" || sort === undefined) return [];
  return [{
    pointer: "/sort",
    detail: 'Remove `sort`: with `"words": "any"` results are always sorted by relevance.',
  }];
}

/** The end of a page of results, sorted by relevance or by time. */
type Place = RelaxedCursor | EditCursor;

interface FoundNode {
  readonly node: NodeView;
  readonly place: WordCursor | EditCursor;
}

interface Search {
  readonly body: SearchInput;
  readonly place: Place | undefined;
  readonly limit: number;
}

interface Found {
  readonly nodes: readonly FoundNode[];
  /** The words to mark. */
  readonly phrases: readonly Phrase[];
  readonly relaxation: Relaxation;
  /** Where the next search continues, if there are more nodes than these. */
  readonly next?: Place;
}

async function find(services: Services, workspace: string, search: Search): Promise<Found> {
  const { query = "" } = search.body;
  const { phrases, excluded } = readQuery(query);
  // A query of punctuation alone has no words and matches nothing.
  if (phrases.length === 0 && excluded.length === 0 && query.trim() !== "") {
    return { nodes: [], phrases, relaxation: {} };
  }
  if (excluded.length === 0) return await findNext(services.store, workspace, search, phrases);
  const nodes: FoundNode[] = [];
  let found: Found = { nodes: [], phrases, relaxation: {} };
  let { place } = search;
  for (let round = 0; round < ROUNDS; round++) {
    found = await findNext(services.store, workspace, { ...search, place }, phrases);
    const last = found.nodes.at(-1);
    if (last === undefined) return { ...found, nodes };
    const ids = found.nodes.map(({ node }) => node.id);
    const refused = await pagesWithWords(services.store, workspace, ids, excluded);
    nodes.push(...found.nodes.filter(({ node }) => !refused.has(node.id)));
    if (nodes.length >= search.limit) return { ...found, nodes: nodes.slice(0, search.limit) };
    place = { ...last.place, ...found.relaxation };
  }
  return { ...found, nodes, ...(place !== undefined && { next: place }) };
}

/** Searches for one page of results; where excluded words leave too few of them, the page is short. */
const ROUNDS = 20;

async function findNext(
  store: Services["store"],
  workspace: string,
  { body, place, limit }: Search,
  phrases: readonly Phrase[],
): Promise<Found> {
  const { query = "", words, filter, sort } = body;
  const scope = readScope(filter);
  if (phrases.length === 0 || sort !== undefined) {
    const { direction } = sort ?? { direction: "descending" };
    const after = place !== undefined && "editedTime" in place ? { after: place } : {};
    const nodes = await store.edited(workspace, { phrases, scope, direction, ...after, limit });
    return {
      nodes: nodes.map((node) => ({ node, place: { editedTime: node.editedTime, id: node.id } })),
      phrases,
      relaxation: {},
    };
  }
  const after = place !== undefined && "tier" in place ? place : undefined;
  const search = { title: titleAskedFor(query), scope, limit, place: after };
  const found = words === "any"
    ? await anyWords(store, workspace, { ...search, phrases: formsOf(phrases) })
    : await relaxedSearch(store, workspace, { ...search, phrases });
  const nodes = await store.firstNodes(workspace, found.hits.map(({ id }) => id));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return {
    ...found,
    nodes: found.hits.flatMap(({ id, place }) => {
      const node = byId.get(id);
      return node === undefined ? [] : [{ node, place }];
    }),
  };
}

async function anyWords(
  store: WordIndex,
  workspace: string,
  search: WordSearch,
): Promise<RelaxedHits> {
  const hits = await pagesWithAny(store, workspace, search);
  return { hits, phrases: search.phrases, relaxation: {} };
}

interface Results {
  readonly nodes: readonly NodeView[];
  readonly phrases: readonly Phrase[];
  readonly now: number;
  readonly rest: Rest;
}

/** Returns each page or database with its match as JSON text. */
async function resultsOf(
  services: Services,
  workspace: string,
  { nodes, phrases, now, rest }: Results,
): Promise<string[]> {
  const databases = await databasesOf(services, workspace, nodes);
  const jsons = await foundJsons(services, workspace, { nodes, databases, now });
  if (phrases.length === 0) return jsons.map((json) => withMatch(json, null));
  await rest();
  const matches = await matchesOf(services, workspace, { nodes, phrases, databases });
  await rest();
  return jsons.map((json, index) => withMatch(json, matches[index] ?? null));
}

/** Adds the member `match` to the JSON text of an object. */
export function withMatch(json: string, match: unknown): string {
  return `${json.slice(0, -1)},"match":${JSON.stringify(match)}}`;
}

/** Names the list that a cursor belongs to, by workspace and query. */
function listName(workspace: string, { query, words, filter, sort }: SearchInput): string {
  const asked = JSON.stringify([query ?? "", words, filter, sort]);
  return `search ${workspace} ${createHash("sha256").update(asked).digest("base64url")}`;
}

function placeIn(
  cursor: string | null | undefined,
  open: (cursor: string) => string,
): Place | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  // Sound because a cursor that opens was sealed by this service.
  return JSON.parse(open(cursor)) as Place;
}
