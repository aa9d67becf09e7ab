/**
 * Vector search: ranks the pages of a workspace by meaning, or by keywords as a fallback.
 *
 * @module
 */
import type { OpenSpace } from "../../indexing/spaces.ts";
import { byScore, CANDIDATES, type Scored } from "../../search/fuse.ts";
import { type Neighbours, rankPages } from "../../search/rank.ts";
import {
  type Phrase,
  readPhrases,
  readQuery,
  titleAskedFor,
  toQuery,
} from "../../search/text/query.ts";
import type { NearPage } from "../../search/vectors/page_vectors.ts";
import type { Vector } from "../../search/vectors/vector.ts";
import { formsOf } from "../../search/words/forms.ts";
import type { Rest } from "../../shared/yield_to_event_loop.ts";
import type { VectorStore, WordIndex } from "../../store/port.ts";
import type { Services } from "../shared/services.ts";
import type { Selection } from "./filters.ts";
import { pageLanguage } from "./page_language.ts";
import { selectedIndex } from "./selected_index.ts";
import { pagesWithAny, pagesWithWords, type WordSearch } from "./word_search.ts";

export interface SemanticQuery {
  readonly query: string;
  readonly mode: "hybrid" | "semantic";
  readonly selection: Selection;
}

/** A page that matches, and the block that its best passage begins with. */
export interface SemanticHit extends Scored {
  /** Null for the page itself. Undefined if only its words match. */
  readonly blockId: string | null | undefined;
}

export interface SemanticRanking {
  readonly rankedBy: "hybrid" | "semantic" | "keyword";
  readonly pages: readonly SemanticHit[];
  /** The words of the question in all their forms, to mark them. */
  readonly phrases: readonly Phrase[];
}

/** Added to the score of a page whose title is the query; no other score comes near it. */
const NAMED = 1_000;
/** Factor by which more pages are searched if too few of the nearest are in the scope. */
const WIDENING = 5;
/** Maximum number of parts in a scope that is listed up front. */
const SMALL_SCOPE = 500;
/** Milliseconds to wait for the embedding of a query. */
const QUESTION_TIME = 3_000;

/** Returns the pages that match best, best first: at most 200 of either ranking. */
export async function rankByVectors(
  services: Pick<Services, "store" | "spaces">,
  workspace: string,
  asked: SemanticQuery,
): Promise<SemanticRanking> {
  const isOutdated = await services.store.hasOutdatedWords(workspace);
  const { phrases, excluded } = readQuery(asked.query, isOutdated);
  if (excluded.length === 0) return await rankAll(services, workspace, asked);
  const query = toQuery(phrases);
  const ranking = await rankAll(services, workspace, { ...asked, query });
  const ids = ranking.pages.map(({ pageId }) => pageId);
  const refused = await pagesWithWords(services.store, workspace, ids, {
    phrases: excluded,
    match: "any",
  });
  return { ...ranking, pages: ranking.pages.filter(({ pageId }) => !refused.has(pageId)) };
}

async function rankAll(
  { store, spaces }: Pick<Services, "store" | "spaces">,
  workspace: string,
  { query, mode, selection }: SemanticQuery,
): Promise<SemanticRanking> {
  const { scope } = selection;
  if (scope.kind === "database") return { rankedBy: mode, pages: [], phrases: [] };
  const asked = readPhrases(query, await store.hasOutdatedWords(workspace));
  const language = await pageLanguage(store, workspace, { phrases: asked, scope });
  await selection.rest();
  const phrases = formsOf(asked, language);
  const title = titleAskedFor(query);
  const findByWords: WordsOf = () =>
    byWords(selectedIndex(store, selection), workspace, { phrases, title, scope });
  const space = await spaces.open(workspace);
  const vector = space && await questionVector(space, query);
  if (space === undefined || vector === undefined || isEmpty(space)) {
    const found = await findByWords();
    const pages = found.map(({ pageId, score }) => ({ pageId, score, blockId: undefined }));
    const first = namedFirst(pages, found).slice(0, CANDIDATES);
    return { rankedBy: "keyword", pages: first, phrases };
  }
  const found = mode === "hybrid" ? await findByWords() : undefined;
  const ranked = await rankPages(await neighbours(store, workspace, { space, selection }), {
    vector,
    ...(found !== undefined && { byWords: found }),
    ...explainedBy(space, query),
  });
  const pages = ranked.map(({ pageId, score, passage }) => {
    const blockId = passage === undefined ? undefined : space.blockOf(pageId, passage);
    return { pageId, score, blockId };
  });
  return { rankedBy: mode, pages: namedFirst(pages, found ?? []), phrases };
}

/** Puts pages whose title is the query first. */
function namedFirst(pages: readonly SemanticHit[], found: readonly NamedPage[]): SemanticHit[] {
  const named = new Set(found.filter(({ isNamed }) => isNamed).map(({ pageId }) => pageId));
  return pages.map((page) => named.has(page.pageId) ? { ...page, score: page.score + NAMED } : page)
    .sort(byScore);
}

function explainedBy({ embedder }: OpenSpace, query: string): { readonly explained?: number } {
  const explained = embedder.explained?.(query);
  return explained === undefined ? {} : { explained };
}

function isEmpty({ pages, indexed }: OpenSpace): boolean {
  return pages === undefined && indexed === undefined;
}

/** A page that words found, and whether its title is the query. */
interface NamedPage extends Scored {
  readonly isNamed: boolean;
}

type WordsOf = () => Promise<NamedPage[]>;

/** Returns the pages with any of the words, best first: all that are ranked, because others are compared. */
async function byWords(
  store: WordIndex,
  workspace: string,
  { phrases, title = "", scope }: Pick<WordSearch, "phrases" | "title" | "scope">,
): Promise<NamedPage[]> {
  if (phrases.length === 0) return [];
  const found = await pagesWithAny(store, workspace, {
    phrases,
    title,
    limit: Infinity,
    place: undefined,
    scope: { ...scope, kind: "page" },
  });
  return found.map((hit) => ({ pageId: hit.id, score: hit.score, isNamed: hit.isNamed }))
    .sort(byScore);
}

/** Returns the embedding of a query. Undefined if the embedder is unreachable or knows none of its words. */
async function questionVector(
  { embedder }: OpenSpace,
  query: string,
): Promise<Vector | undefined> {
  try {
    const signal = AbortSignal.timeout(QUESTION_TIME);
    const [vector] = embedder.embedQuestion === undefined
      ? await embedder.embed([{ title: "", text: query }], signal)
      : [await embedder.embedQuestion(query, signal)];
    return vector?.some((entry) => entry !== 0) ? vector : undefined;
  } catch {
    // The response says that it is ranked by keywords, and the indexer logs the error.
    return undefined;
  }
}

/** Returns the IDs of everything in a small selection or scope, or undefined if it is large. */
async function smallScope(
  store: WordIndex,
  workspace: string,
  { scope, few }: Selection,
): Promise<ReadonlySet<string> | undefined> {
  if (few !== undefined) return new Set(few);
  if (scope.parentId === undefined && scope.ancestorId === undefined) return undefined;
  const { matches, rest } = await store.findWords(workspace, {
    phrases: [],
    scope: { ...scope, kind: "page" },
    match: "all",
    limit: SMALL_SCOPE,
  });
  return rest === undefined ? new Set(matches.map(({ id }) => id)) : undefined;
}

interface SelectedSearch {
  readonly space: OpenSpace;
  readonly selection: Selection;
}

/** Merges the pages in memory with those in the index. */
async function neighbours(
  store: VectorStore & WordIndex,
  workspace: string,
  { space: { pages, indexed }, selection }: SelectedSearch,
): Promise<Neighbours> {
  const { scope } = selection;
  const inMemory = pages === undefined ? () => Promise.resolve([]) : nearestWithin(
    (vector, limit, among) => Promise.resolve(pages.nearest(vector, limit, among)),
    {
      among: await smallScope(store, workspace, selection),
      fitting: async (ids) =>
        await selected(selection, await store.pagesWithin(workspace, ids, scope)),
      rest: selection.rest,
    },
  );
  const inIndex = indexed === undefined
    ? () => Promise.resolve([])
    : nearestWithin((vector, limit) => indexed.nearest(vector, { scope, limit }), {
      among: undefined,
      fitting: (ids) => selected(selection, ids),
      rest: selection.rest,
    });
  return {
    async nearest(vector) {
      const [newer, older] = await Promise.all([inMemory(vector), inIndex(vector)]);
      return older.length === 0 ? newer : [...newer, ...older].sort(byScore).slice(0, CANDIDATES);
    },
    // The pages that words found are in the scope. Those in the database's index are not at hand.
    compare: (vector, ids) => pages?.nearest(vector, ids.length, new Set(ids)) ?? [],
    vector: (passage) => indexed?.vector(passage) ?? pages?.vector(passage) ?? new Float32Array(),
  };
}

/** Returns the IDs among these that are selected. */
async function selected(
  { among }: Selection,
  ids: readonly string[],
): Promise<readonly string[]> {
  return among === undefined ? ids : (await among(ids)).map(({ id }) => id);
}

type Nearest = (
  vector: Vector,
  limit: number,
  among: ReadonlySet<string> | undefined,
) => Promise<NearPage[]>;

interface Within {
  readonly among: ReadonlySet<string> | undefined;
  /** Returns the pages among these that are searched. */
  fitting(ids: readonly string[]): Promise<readonly string[]>;
  readonly rest: Rest;
}

/** Finds the nearest pages that are searched and not in the trash. */
function nearestWithin(
  nearest: Nearest,
  { among, fitting, rest }: Within,
): (vector: Vector) => Promise<NearPage[]> {
  return async (vector) => {
    for (let limit = CANDIDATES;; limit *= WIDENING) {
      const near = await nearest(vector, limit, among);
      await rest();
      const within = new Set(await fitting(near.map(({ pageId }) => pageId)));
      await rest();
      const inScope = near.filter(({ pageId }) => within.has(pageId));
      if (inScope.length >= CANDIDATES || near.length < limit) return inScope.slice(0, CANDIDATES);
    }
  };
}
