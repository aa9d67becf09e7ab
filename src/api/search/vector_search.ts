/**
 * Ranking a workspace's pages by meaning, or by words where meaning cannot tell.
 *
 * @module
 */
import type { OpenSpace } from "../../indexing/spaces.ts";
import { byScore, type Scored } from "../../search/fuse.ts";
import type { SearchScope } from "../../search/input.ts";
import { type Neighbours, rankPages } from "../../search/rank.ts";
import { readPhrases } from "../../search/text/query.ts";
import type { NearPage, PageVectors } from "../../search/vectors/page_vectors.ts";
import type { Vector } from "../../search/vectors/vector.ts";
import { formsOf } from "../../search/words/forms.ts";
import type { VectorStore, WordIndex } from "../../store/port.ts";
import type { Services } from "../shared/services.ts";
import { pagesWithAny } from "./word_search.ts";

export interface SemanticQuery {
  readonly query: string;
  readonly mode: "hybrid" | "semantic";
  readonly scope: SearchScope;
}

/** A page that was found, and the block that its best passage begins with. */
export interface SemanticHit extends Scored {
  /** Null: the page itself; undefined: only its words were found. */
  readonly blockId: string | null | undefined;
}

export interface SemanticRanking {
  readonly rankedBy: "hybrid" | "semantic" | "keyword";
  readonly pages: readonly SemanticHit[];
}

/** Pages of either ranking that are considered. */
const CANDIDATES = 200;
/** How many times more pages are looked at where too few of the nearest lie in the scope. */
const WIDENING = 5;
/** Parts of pages of a scope that is small enough to be listed. */
const SMALL_SCOPE = 500;
/** Milliseconds that an embedder has for a question. */
const QUESTION_TIME = 3_000;

/** The pages that fit best, best first: 200 of either ranking at most. */
export async function rankByVectors(
  { store, spaces }: Pick<Services, "store" | "spaces">,
  workspace: string,
  { query, mode, scope }: SemanticQuery,
): Promise<SemanticRanking> {
  if (scope.kind === "database") return { rankedBy: mode, pages: [] };
  const asked: WordsOf = () => byWords(store, workspace, query, scope);
  const space = await spaces.open(workspace);
  const vector = space && await questionVector(space, query);
  if (space === undefined || vector === undefined || isEmpty(space)) {
    const pages = await asked();
    return { rankedBy: "keyword", pages: pages.map((page) => ({ ...page, blockId: undefined })) };
  }
  const ranked = await rankPages(await neighbours(store, workspace, { space, scope }), {
    vector,
    ...(mode === "hybrid" && { byWords: await asked() }),
  });
  const pages = ranked.map(({ pageId, score, passage }) => {
    const blockId = passage === undefined ? undefined : space.blockOf(pageId, passage);
    return { pageId, score, blockId };
  });
  return { rankedBy: mode, pages };
}

function isEmpty({ pages, indexed }: OpenSpace): boolean {
  return pages === undefined && indexed === undefined;
}

type WordsOf = () => Promise<Scored[]>;

/** The pages that have any of the words. */
async function byWords(
  store: WordIndex,
  workspace: string,
  query: string,
  scope: SearchScope,
): Promise<Scored[]> {
  const phrases = formsOf(readPhrases(query));
  if (phrases.length === 0) return [];
  const found = await pagesWithAny(store, workspace, {
    phrases,
    scope: { ...scope, kind: "page" },
    limit: CANDIDATES,
    place: undefined,
  });
  return found.map(({ id, place }) => ({ pageId: id, score: place.after.score })).sort(byScore);
}

/** Undefined where the question means nothing to the embedder, or it cannot be asked now. */
async function questionVector(
  { embedder }: OpenSpace,
  query: string,
): Promise<Vector | undefined> {
  try {
    const signal = AbortSignal.timeout(QUESTION_TIME);
    const [vector] = await embedder.embed([{ title: "", text: query }], signal);
    return vector?.some((entry) => entry !== 0) ? vector : undefined;
  } catch {
    // The answer says that it is ranked by words; the log has what the background was told.
    return undefined;
  }
}

/** Ids of all that lies in a scope with few pages; undefined of a larger one. */
async function smallScope(
  store: WordIndex,
  workspace: string,
  scope: SearchScope,
): Promise<ReadonlySet<string> | undefined> {
  if (scope.parentId === undefined && scope.ancestorId === undefined) return undefined;
  const { matches, rest } = await store.findWords(workspace, {
    phrases: [],
    scope: { ...scope, kind: "page" },
    match: "all",
    limit: SMALL_SCOPE,
  });
  return rest === undefined ? new Set(matches.map(({ id }) => id)) : undefined;
}

interface Looked {
  readonly space: OpenSpace;
  readonly scope: SearchScope;
}

/** The pages in memory and in the index, as one. */
async function neighbours(
  store: VectorStore & WordIndex,
  workspace: string,
  { space: { pages, indexed }, scope }: Looked,
): Promise<Neighbours> {
  const inMemory = pages === undefined
    ? () => Promise.resolve([])
    : nearestWithin(store, workspace, {
      pages,
      scope,
      among: await smallScope(store, workspace, scope),
    });
  const inIndex = (vector: Vector) => indexed?.nearest(vector, { scope, limit: CANDIDATES }) ?? [];
  return {
    async nearest(vector) {
      const [newer, older] = await Promise.all([inMemory(vector), inIndex(vector)]);
      return older.length === 0 ? newer : [...newer, ...older].sort(byScore).slice(0, CANDIDATES);
    },
    vector: (passage) => indexed?.vector(passage) ?? pages?.vector(passage) ?? new Float32Array(),
  };
}

interface Within {
  readonly pages: PageVectors;
  readonly scope: SearchScope;
  readonly among: ReadonlySet<string> | undefined;
}

/** Finds the nearest pages that live and lie in the scope. */
function nearestWithin(
  store: VectorStore,
  workspace: string,
  { pages, scope, among }: Within,
): (vector: Vector) => Promise<NearPage[]> {
  return async (vector) => {
    for (let limit = CANDIDATES;; limit *= WIDENING) {
      const near = pages.nearest(vector, limit, among);
      const ids = near.map(({ pageId }) => pageId);
      const within = new Set(await store.pagesWithin(workspace, ids, scope));
      const kept = near.filter(({ pageId }) => within.has(pageId));
      if (kept.length >= CANDIDATES || near.length < limit) return kept.slice(0, CANDIDATES);
    }
  };
}
