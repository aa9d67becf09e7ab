/**
 * Searching a workspace by words.
 *
 * @module
 */
import { createHash } from "node:crypto";
import * as v from "valibot";
import { database } from "../../content/databases/json.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { fitting } from "../../content/values/page_end.ts";
import { page } from "../../content/pages/page_json.ts";
import { validationError, type ValidationIssue } from "../../shared/errors.ts";
import { MAX_CURSOR_LENGTH } from "../../http/cursor.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
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
import { cursorInput, listJson, listSchema, pageSizeOf, pagination } from "../shared/lists.ts";
import { matchesOf, searchMatch } from "./matches.ts";
import { createRest, type Rest } from "../shared/yield_to_event_loop.ts";
import { define, type Services } from "../shared/services.ts";
import { pagesWithAll, pagesWithAny, type WordCursor } from "./word_search.ts";

const match = v.pipe(
  v.nullable(searchMatch),
  v.description("Null where nothing was searched for."),
);

/** A page as a search answers it. */
export const foundPage = v.object({ ...page.entries, match });
/** A database as a search answers it. */
export const foundDatabase = v.object({ ...database.entries, match });
/** What a search found. */
export const foundList = listSchema(
  "page_or_database",
  v.variant("object", [foundPage, foundDatabase]),
);

/** What is searched for. */
export const searchInput = v.strictObject({
  query: v.exactOptional(
    v.pipe(
      searchText,
      v.description(
        'Words, the last of which may be a beginning, and phrases in `"`; everything where it is empty or absent.',
      ),
    ),
  ),
  words: v.exactOptional(
    v.pipe(
      v.picklist(["all", "any"]),
      v.description("Whether all words must occur, as they must by default, or any."),
    ),
  ),
  filter: v.exactOptional(searchFilter),
  sort: v.exactOptional(searchSort),
  ...pagination,
  start_cursor: v.exactOptional(v.nullable(cursorInput(MAX_CURSOR_LENGTH))),
});

export const searchEndpoints = [
  define({
    method: "POST",
    path: "/v2/search",
    operationId: "search",
    tag: "Search",
    summary: "Search by words",
    description:
      "Finds pages, rows and databases by the words of their titles and contents, best first. What was written before is found; what is in the trash is not.",
    body: searchInput,
    response: foundList,
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
  // Some may have gone to the trash since.
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
  return [{ pointer: "/sort", detail: "What has any of the words is found by rank alone." }];
}

/** Where a page of results ended, in the one order or the other. */
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
  // Signs alone are no word, so nothing has them.
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

/** Each page or database with its match, as JSON text. */
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

/** An object's JSON text with one more member. */
export function withMatch(json: string, match: unknown): string {
  return `${json.slice(0, -1)},"match":${JSON.stringify(match)}}`;
}

/** Names the list that a cursor belongs to: who asks for what. */
function listName(workspace: string, { query, words, filter, sort }: SearchInput): string {
  const asked = JSON.stringify([query ?? "", words, filter, sort]);
  return `search ${workspace} ${createHash("sha256").update(asked).digest("base64url")}`;
}

function placeIn(
  cursor: string | null | undefined,
  open: (cursor: string) => string,
): Place | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  // Sound because the cursor opened, so it was sealed here around a place.
  return JSON.parse(open(cursor)) as Place;
}
