/**
 * Keyword search.
 *
 * @module
 */
import { createHash } from "node:crypto";
import * as v from "valibot";
import { database } from "../../content/databases/json.ts";
import type { NodeView } from "../../content/schema/node.ts";
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
import { type Phrase, readPhrases } from "../../search/text/query.ts";
import { formsOf } from "../../search/words/forms.ts";
import type { EditCursor } from "../../store/port.ts";
import { databasesOf, foundJsons } from "./results.ts";
import * as example from "../shared/examples.ts";
import { cursorInput, listJson, listSchema, pageSizeOf, pagination } from "../shared/lists.ts";
import { matchesOf, searchMatch } from "./matches.ts";
import { createRest, type Rest } from "../../shared/yield_to_event_loop.ts";
import { define, type Services } from "../shared/services.ts";
import { pagesWithAll, pagesWithAny, type WordCursor } from "./word_search.ts";

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
const foundList = component(
  listSchema("page_or_database", v.variant("object", [foundPage, foundDatabase])),
  "FoundList",
  "One page of search results.",
);

const searchInput = v.strictObject({
  query: v.exactOptional(
    v.pipe(
      searchText,
      v.description(
        'Words and quoted phrases, such as `"field notes" owl`. The last word may be incomplete. If empty or absent, everything matches.',
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
      response: example.list("page_or_database", [{
        ...example.page,
        match: {
          block_id: example.TO_DO,
          text: "Count the nests",
          highlights: [{ start: 0, end: 5 }, { start: 10, end: 15 }],
        },
      }]),
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
  const asked = readPhrases(body.query ?? "");
  const phrases = body.words === "any" ? formsOf(asked) : asked;
  const place = placeIn(body.start_cursor, (cursor) => services.cursors.open(cursor, list));
  const rest = createRest();
  const found = await find(services, workspace, { body, phrases, place, limit: limit + 1 });
  await rest();
  const shown = fitting(found.slice(0, limit), ({ node }) => node.doc.length);
  const last = found.length > shown.length ? shown.at(-1) : undefined;
  // Some may have been moved to the trash since.
  const nodes = shown.flatMap(({ node }) => node.trashRoot === null ? [node] : []);
  return {
    body: listJson({
      type: "page_or_database",
      results: await resultsOf(services, workspace, { nodes, phrases, now, rest }),
      nextCursor: last === undefined
        ? null
        : services.cursors.seal(JSON.stringify(last.place), list),
      requestId,
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
type Place = WordCursor | EditCursor;

interface FoundNode {
  readonly node: NodeView;
  readonly place: Place;
}

interface Search {
  readonly body: SearchInput;
  readonly phrases: readonly Phrase[];
  readonly place: Place | undefined;
  readonly limit: number;
}

async function find(
  { store }: Services,
  workspace: string,
  { body, phrases, place, limit }: Search,
): Promise<FoundNode[]> {
  const { query = "", words, filter, sort } = body;
  const scope = readScope(filter);
  // A query of punctuation alone has no words and matches nothing.
  if (phrases.length === 0 && query.trim() !== "") return [];
  if (phrases.length === 0 || sort !== undefined) {
    const { direction } = sort ?? { direction: "descending" };
    const after = place !== undefined && "editedTime" in place ? { after: place } : {};
    const nodes = await store.edited(workspace, { phrases, scope, direction, ...after, limit });
    return nodes.map((node) => ({ node, place: { editedTime: node.editedTime, id: node.id } }));
  }
  const after = place !== undefined && "tier" in place ? place : undefined;
  const rank = words === "any" ? pagesWithAny : pagesWithAll;
  const ranked = await rank(store, workspace, { phrases, scope, limit, place: after });
  const nodes = await store.firstNodes(workspace, ranked.map(({ id }) => id));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return ranked.flatMap(({ id, place }) => {
    const node = byId.get(id);
    return node === undefined ? [] : [{ node, place }];
  });
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
