/**
 * Ranks pages for semantic and hybrid search.
 *
 * @module
 */
import { byScore, fuse, type Scored, wordWeight } from "./fuse.ts";
import { product, withNeighbourScores } from "./neighbour_scores.ts";
import type { NearPage } from "./vectors/page_vectors.ts";
import { toUnit, type Vector } from "./vectors/vector.ts";

export interface Question {
  readonly vector: Vector;
  /** The keyword ranking to merge, best first; undefined for purely semantic search. */
  readonly byWords?: readonly Scored[];
  /** Share of the question that the embedder knows; undefined if it cannot tell. */
  readonly explained?: number;
}

/** The pages to search. */
export interface Neighbours {
  /** Returns the nearest pages, nearest first. */
  nearest(vector: Vector): Promise<NearPage[]>;
  /** Returns these pages, as far as their vectors are at hand, in any order. */
  compare(vector: Vector, pageIds: readonly string[]): NearPage[];
  /** Returns the unit vector of a passage. */
  vector(passage: Pick<NearPage, "pageId" | "passage">): Vector;
}

/** A page, its score and its best passage. */
export interface RankedPage extends Scored {
  /** Number of the passage in its page; undefined if only the keyword search found the page. */
  readonly passage: number | undefined;
}

/** Relevance feedback (Rocchio, 1971): number of first results, and their weight. */
const FEEDBACK_PAGES = 3;
const FEEDBACK_WEIGHT = 0.5;

/**
 * Share of a score that comes from the neighbours of a page: at most, and the factor of the squared share
 * that the model explains of the question. Where it explains little, neighbours mislead.
 */
const MOST_LENT = 0.4;
const LENT = 28;
/** Pages that only words found and whose meaning is compared, too. */
const COMPARED = 200;

/**
 * Returns the pages of both rankings, best first. Searches twice: the second question is moved towards
 * the best results of the first, and so learns how the workspace words its subject.
 */
export async function rankPages(pages: Neighbours, question: Question): Promise<RankedPage[]> {
  const { vector, byWords, explained } = question;
  const near = await nearPages(pages, vector, byWords);
  const weight = byWords === undefined ? 0 : wordWeight({
    byMeaning: near,
    byWords,
    ...(explained !== undefined && { explained }),
  });
  const improved = withFeedback(pages, vector, toRanking(near, byWords, weight));
  const ranked = toRanking(await nearPages(pages, improved, byWords), byWords, weight);
  if (byWords === undefined) return ranked;
  const vectorOf = ({ pageId, passage }: RankedPage) =>
    passage === undefined ? undefined : pages.vector({ pageId, passage });
  return withNeighbourScores(ranked, vectorOf, Math.min(MOST_LENT, LENT * (explained ?? 1) ** 2));
}

/** Returns the nearest pages and, if at hand, the best of the pages that words found. */
async function nearPages(
  pages: Neighbours,
  vector: Vector,
  byWords: readonly Scored[] = [],
): Promise<NearPage[]> {
  const near = await pages.nearest(vector);
  const known = new Set(near.map(({ pageId }) => pageId));
  const others = byWords.slice(0, COMPARED).map(({ pageId }) => pageId)
    .filter((pageId) => !known.has(pageId));
  return [...near, ...pages.compare(vector, others)].sort(byScore);
}

function toRanking(
  near: readonly NearPage[],
  byWords: readonly Scored[] | undefined,
  weight: number,
): RankedPage[] {
  if (byWords === undefined) return [...near];
  const passages = new Map(near.map(({ pageId, passage }) => [pageId, passage]));
  return fuse({ byMeaning: near, byWords, weight })
    .map((page) => ({ ...page, passage: passages.get(page.pageId) }));
}

/** Moves the question towards its first results, weighted by their similarity. */
function withFeedback(
  pages: Pick<Neighbours, "vector">,
  question: Vector,
  first: readonly RankedPage[],
): Vector {
  const total = new Float32Array(question.length);
  for (const { pageId, passage } of first.slice(0, FEEDBACK_PAGES)) {
    if (passage === undefined) continue;
    const vector = pages.vector({ pageId, passage });
    addMultiple(total, Math.max(0, product(question, vector)), vector);
  }
  const improved = question.slice();
  addMultiple(improved, FEEDBACK_WEIGHT, toUnit(total));
  return toUnit(improved);
}

function addMultiple(sum: Vector, factor: number, vector: Vector): void {
  vector.forEach((entry, i) => sum[i] = (sum[i] ?? 0) + factor * entry);
}
