/**
 * Keyword search.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { type ComputeBudget, createReplyBudget } from "../../content/formulas/compute_budget.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { LIMITS } from "../../content/values/limits.ts";
import { fitting } from "../../content/values/page_end.ts";
import { validationError, type ValidationIssue } from "../../shared/errors.ts";
import { listText, withMember } from "../../shared/json_text.ts";
import type { Text } from "../../shared/long_text.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import { type Phrase, readQuery, titleAskedFor } from "../../search/text/query.ts";
import type { TimeCursor, WordMatch } from "../../store/port.ts";
import { listJson, pageSizeOf } from "../shared/lists.ts";
import type { Services } from "../shared/services.ts";
import { withStableSchemas } from "../shared/stable_schemas.ts";
import {
  countedPages,
  countFacets,
  type FacetProperty,
  MOST_COUNTED,
  readFacets,
} from "./counts.ts";
import {
  type Asking,
  type PageFilter,
  readSearchFilter,
  type Selection,
  withSelection,
} from "./filters.ts";
import { withMatch } from "./found_list.ts";
import { guardedIssue, guardedTextIssues } from "../shared/guarded_fields.ts";
import type { SearchInput, SearchQuestion } from "./keyword_input.ts";
import { matchesOf } from "./matches.ts";
import { pageLanguage } from "./page_language.ts";
import {
  type Relaxation,
  type RelaxedCursor,
  relaxedSearch,
  searchForAny,
} from "./relaxed_search.ts";
import { databasesOf, foundJsons } from "./results.ts";
import { selectedIndex } from "./selected_index.ts";
import { selectedTimeline } from "./timeline.ts";
import { pagesWithWords, type WordCursor } from "./word_search.ts";

/** Answers `POST /v2/search`. */
export function search(
  call: Call<unknown, unknown, SearchInput>,
  services: Services,
): Promise<Reply> {
  const known = new Map<number, Found>();
  return withStableSchemas(
    services,
    call.caller.workspace,
    (reading) => searchOnce(call, reading.services, known),
    { rowsFirst: true },
  );
}

/** `known` is what earlier attempts found, by the number of the question. */
async function searchOnce(
  call: Call<unknown, unknown, SearchInput>,
  services: Services,
  known: Map<number, Found>,
): Promise<Reply> {
  const { also = [], ...first } = call.body;
  const { cursors } = services;
  const issues: ValidationIssue[] = [];
  const questions: PreparedSearch[] = [];
  for (const [index, body] of [first, ...also].entries()) {
    const pointer = index === 0 ? "" : pointerTo("/also", index - 1);
    const list = listName(call.caller.workspace, body);
    const place = placeIn(body.start_cursor, (cursor) => cursors.open(cursor, list));
    const asking = { caller: call.caller, now: call.now, hidden: call.hidden, pointer };
    questions.push(await prepare(services, asking, { body, list, place }, issues));
  }
  if (issues.length > 0) throw validationError(issues);
  const lists: Text[] = [];
  const { requestId } = call;
  const space = Math.floor(LIMITS.pageLength / questions.length);
  let { left } = createReplyBudget();
  for (const [index, question] of questions.entries()) {
    // The others may use what one leaves.
    const share = Math.floor(left / (questions.length - index));
    const work = { left: share };
    const found = known.get(index);
    const keep = (found: Found) => void known.set(index, found);
    lists.push(await answer(services, question, { requestId, space, work, found, keep }));
    left -= share - Math.max(0, work.left);
  }
  const [body = "", ...others] = lists;
  return { body: others.length === 0 ? body : withMember(body, "also", listText(others)) };
}

interface Question {
  readonly body: SearchQuestion;
  /** Name of the list, to which its cursors belong. */
  readonly list: string;
  readonly place: Place | undefined;
}

/** A search whose input has been read. */
interface PreparedSearch extends Question {
  readonly asking: Asking;
  readonly filter: PageFilter | undefined;
  readonly facets: readonly FacetProperty[];
}

/** Reads one search; adds all its issues to `issues`. */
async function prepare(
  services: Services,
  asking: Asking,
  question: Question,
  issues: ValidationIssue[],
): Promise<PreparedSearch> {
  const { body } = question;
  issues.push(...wordIssues(body, asking), ...orderIssues(body, asking));
  const filter = await readSearchFilter(services, asking, body.filter, issues);
  const facets = await readFacets(services, asking, body.facets, issues);
  return { ...question, asking, filter, facets };
}

function wordIssues({ query = "" }: SearchQuestion, asking: Asking): ValidationIssue[] {
  return query === "" ? [] : guardedTextIssues(asking.hidden, pointerTo(asking.pointer, "query"));
}

function orderIssues({ words, sort }: SearchQuestion, asking: Asking): ValidationIssue[] {
  if (sort === undefined) return [];
  const pointer = pointerTo(asking.pointer, "sort");
  const guarded = guardedIssue(asking.hidden, { pointer, members: [sort.timestamp] });
  if (guarded !== undefined) return [guarded];
  if (words !== "any") return [];
  const detail = 'Remove `sort`: with `"words": "any"` results are always sorted by relevance.';
  return [{ pointer, detail }];
}

interface Answering {
  readonly requestId: string;
  /** UTF-16 code units of the results, at most. */
  readonly space: number;
  /** The compute budget of the results. */
  readonly work: ComputeBudget;
  /** The result of an earlier attempt; undefined if it depends on schemas. */
  readonly found: Found | undefined;
  keep(found: Found): void;
}

/** Returns one page of the results as JSON text. */
function answer(services: Services, search: PreparedSearch, to: Answering): Promise<Text> {
  return withSelection(services, search.asking, search.filter, async (selection) => {
    const { body, filter, list, place, asking: { caller: { workspace }, now } } = search;
    const limit = pageSizeOf(body);
    const found = to.found === undefined
      ? await find(services, workspace, { body, selection, place, limit: limit + 1 })
      : await foundAgain(services, workspace, to.found);
    // To print it again takes less time, in which schemas change less often.
    if (filter === undefined) to.keep(found);
    await selection.rest();
    const shown = fitting(found.nodes.slice(0, limit), ({ node }) => node.doc.length, to.space);
    // Some may have been moved to the trash since.
    const nodes = shown.filter(({ node }) => node.trashRoot === null);
    const { phrases, relaxation } = found;
    const { work } = to;
    const printed = await resultsOf(services, workspace, { nodes, phrases, now, work, selection });
    const results = fitting(printed, ({ length }) => length, to.space);
    const lastShown = results.length < nodes.length ? nodes[results.length - 1] : shown.at(-1);
    const isWhole = results.length === nodes.length && shown.length === found.nodes.length;
    const last = isWhole ? found.next : lastShown?.place;
    return listJson({
      type: "page_or_database",
      results,
      nextCursor: last === undefined
        ? null
        : services.cursors.seal(JSON.stringify({ ...last, ...relaxation }), list),
      requestId: to.requestId,
      more: {
        search: {
          words: body.words === "any" || relaxation.isAny === true ? "any" : "all",
          corrected_query: relaxation.corrected ?? null,
        },
        ...await countsOf(services, search, { found, selection }),
      },
    });
  });
}

interface Counted {
  readonly found: Found;
  readonly selection: Selection;
}

/** The counts that the request asks for. */
async function countsOf(
  services: Services,
  { body, facets, asking: { caller: { workspace } } }: PreparedSearch,
  { found: { asked, phrases, relaxation, isNothing }, selection }: Counted,
): Promise<object> {
  const isWanted = body.total === true || facets.length > 0;
  if (!isWanted) return {};
  const isAny = body.words === "any" || relaxation.isAny === true;
  const counted = isNothing === true
    ? { ids: new Set<string>(), relation: "exact" } as const
    : await countedPages(services, workspace, {
      asked,
      phrases,
      selection,
      match: isAny ? "any" : "all",
      excluded: readQuery(
        body.query ?? "",
        await services.store.hasOutdatedWords(workspace),
      ).excluded,
      minScore: body.sort === undefined ? body.min_score : undefined,
    });
  const { rest } = selection;
  return {
    ...(body.total === true && {
      total: { value: Math.min(counted.ids.size, MOST_COUNTED), relation: counted.relation },
    }),
    ...(facets.length > 0 && {
      facets: await countFacets(services, workspace, facets, { ...counted, rest }),
    }),
  };
}

/** The end of a page of results, sorted by relevance or by time. */
type Place = RelaxedCursor | TimeCursor;

interface FoundNode {
  readonly node: NodeView;
  readonly place: WordCursor | TimeCursor;
  /** Null if the results are sorted by time. */
  readonly score: number | null;
  /** The part of it that matches best, if they are ranked. */
  readonly part?: WordMatch;
}

interface Search {
  readonly body: SearchQuestion;
  readonly selection: Selection;
  readonly place: Place | undefined;
  readonly limit: number;
}

interface Found {
  readonly nodes: readonly FoundNode[];
  /** The words that were searched for, as they are spelt. */
  readonly asked: readonly Phrase[];
  /** The words to mark. */
  readonly phrases: readonly Phrase[];
  readonly relaxation: Relaxation;
  /** The place at which the next search continues, if there are more nodes than these. */
  readonly next?: Place;
  /** True if no page can match the query. */
  readonly isNothing?: true;
}

/** Returns what was found with its nodes as they are now. */
async function foundAgain(services: Services, workspace: string, found: Found): Promise<Found> {
  const ids = found.nodes.map(({ node }) => node.id);
  const nodes = await services.shownNodes.firstNodes(workspace, ids);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return {
    ...found,
    nodes: found.nodes.flatMap((one) => {
      const node = byId.get(one.node.id);
      return node === undefined ? [] : [{ ...one, node }];
    }),
  };
}

async function find(services: Services, workspace: string, search: Search): Promise<Found> {
  const { query = "" } = search.body;
  const isOutdated = await services.store.hasOutdatedWords(workspace);
  const { phrases, excluded } = readQuery(query, isOutdated);
  // A query of punctuation alone has no words and matches nothing.
  if (phrases.length === 0 && excluded.length === 0 && query.trim() !== "") {
    return { nodes: [], asked: phrases, phrases, relaxation: {}, isNothing: true };
  }
  if (excluded.length === 0) return await findNext(services, workspace, search, phrases);
  const nodes: FoundNode[] = [];
  let found: Found = { nodes: [], asked: phrases, phrases, relaxation: {} };
  let { place } = search;
  for (let round = 0; round < ROUNDS; round++) {
    found = await findNext(services, workspace, { ...search, place }, phrases);
    const last = found.nodes.at(-1);
    if (last === undefined) return { ...found, nodes };
    const ids = found.nodes.map(({ node }) => node.id);
    const refused = await pagesWithWords(services.store, workspace, ids, {
      phrases: excluded,
      match: "any",
    });
    nodes.push(...found.nodes.filter(({ node }) => !refused.has(node.id)));
    if (nodes.length >= search.limit) return { ...found, nodes: nodes.slice(0, search.limit) };
    place = { ...last.place, ...found.relaxation };
  }
  return { ...found, nodes, ...(place !== undefined && { next: place }) };
}

/**
 * Searches for one page of results; where excluded words leave too few of them, the page is short.
 */
const ROUNDS = 20;

async function findNext(
  services: Services,
  workspace: string,
  search: Search,
  phrases: readonly Phrase[],
): Promise<Found> {
  const { body: { query = "", words, sort, min_score }, selection, place, limit } = search;
  if (phrases.length === 0 || sort !== undefined) {
    return await findByTime(services, workspace, search, phrases);
  }
  const { store, shownNodes } = services;
  const after = place !== undefined && "tier" in place ? place : undefined;
  const index = selection.among === undefined ? store : selectedIndex(store, selection);
  const { scope } = selection;
  const language = after === undefined
    ? await pageLanguage(store, workspace, { phrases, scope })
    : after.language;
  await selection.rest();
  const ranking = {
    title: titleAskedFor(query),
    scope,
    language,
    limit,
    place: after,
    minScore: min_score,
  };
  const found = words === "any"
    ? await searchForAny(index, workspace, { ...ranking, phrases })
    : await relaxedSearch(index, workspace, { ...ranking, phrases });
  await selection.rest();
  const nodes = await shownNodes.firstNodes(workspace, found.hits.map(({ id }) => id));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return {
    ...found,
    nodes: found.hits.flatMap(({ id, place, score, part }) => {
      const node = byId.get(id);
      return node === undefined ? [] : [{ node, place, score, part }];
    }),
  };
}

async function findByTime(
  { store, shownNodes }: Services,
  workspace: string,
  { body: { sort }, selection, place, limit }: Search,
  phrases: readonly Phrase[],
): Promise<Found> {
  const { timestamp, direction } = sort ??
    { timestamp: "last_edited_time", direction: "descending" };
  const places = await selectedTimeline(store, workspace, {
    phrases,
    selection,
    direction,
    limit,
    by: timestamp === "created_time" ? "createdTime" : "editedTime",
    ...(place !== undefined && "time" in place && { after: place }),
  });
  const nodes = await shownNodes.firstNodes(workspace, places.map(({ id }) => id));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return {
    nodes: places.flatMap((place) => {
      const node = byId.get(place.id);
      return node === undefined ? [] : [{ node, place, score: null }];
    }),
    asked: phrases,
    phrases,
    relaxation: {},
  };
}

interface Results {
  readonly nodes: readonly FoundNode[];
  readonly phrases: readonly Phrase[];
  readonly now: number;
  readonly work: ComputeBudget;
  readonly selection: Selection;
}

/** Returns each page or database with its match as JSON text. */
async function resultsOf(
  services: Services,
  workspace: string,
  { nodes: found, phrases, now, work, selection: { rest } }: Results,
): Promise<Text[]> {
  const nodes = found.map(({ node }) => node);
  const databases = await databasesOf(services, workspace, nodes);
  const jsons = await foundJsons(services, workspace, { nodes, databases, work, now });
  if (phrases.length === 0) return jsons.map((json) => withMatch(json, null));
  await rest();
  const parts = found.flatMap(({ part }) => part?.isWhole === true ? [part] : []);
  const matches = await matchesOf(services, workspace, { nodes, parts, phrases, databases });
  await rest();
  return jsons.map((json, index) =>
    withMatch(json, { score: found[index]?.score ?? null, ...matches[index] })
  );
}

/** Names the list that a cursor belongs to, by workspace and query. */
function listName(workspace: string, question: SearchQuestion): string {
  const { query, words, filter, sort, min_score } = question;
  const asked = JSON.stringify([query ?? "", words, filter, sort, min_score]);
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
