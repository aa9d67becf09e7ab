/**
 * Ranks pages for semantic and hybrid search.
 *
 * @module
 */
import { fuse, type Scored } from "./fuse.ts";
import type { NearPage } from "./vectors/page_vectors.ts";
import { toUnit, type Vector } from "./vectors/vector.ts";

export interface Question {
  readonly vector: Vector;
  /** The keyword ranking to merge; undefined for purely semantic search. */
  readonly byWords?: readonly Scored[];
}

/** The pages to search. */
export interface Neighbours {
  /** Returns the nearest pages, nearest first. */
  nearest(vector: Vector): Promise<NearPage[]>;
  /** Returns the unit vector of a passage. */
  vector(passage: Pick<NearPage, "pageId" | "passage">): Vector;
}

/** A page, its score and its best passage. */
export interface RankedPage extends Scored {
  /** Number of the passage in its page; undefined if only the keyword search found the page. */
  readonly passage: number | undefined;
}

/** Relevance feedback (Rocchio, 1971): number of first results, and their weight. */
const FEEDBACK_PAGES = 5;
const FEEDBACK_WEIGHT = 0.5;

/**
 * Returns the pages of both rankings, best first. Searches twice: the second question is moved towards
 * the best results of the first, and so learns how the workspace words its subject.
 */
export async function rankPages(
  pages: Neighbours,
  { vector, byWords }: Question,
): Promise<RankedPage[]> {
  const first = toRanking(await pages.nearest(vector), byWords);
  const improved = withFeedback(pages, vector, first);
  return toRanking(await pages.nearest(improved), byWords);
}

function toRanking(
  near: readonly NearPage[],
  byWords: readonly Scored[] | undefined,
): RankedPage[] {
  if (byWords === undefined) return [...near];
  const passages = new Map(near.map(({ pageId, passage }) => [pageId, passage]));
  return fuse(near, byWords).map((page) => ({ ...page, passage: passages.get(page.pageId) }));
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

function product(a: Vector, b: Vector): number {
  return a.reduce((sum, entry, i) => sum + entry * (b[i] ?? 0), 0);
}

function addMultiple(sum: Vector, factor: number, vector: Vector): void {
  vector.forEach((entry, i) => sum[i] = (sum[i] ?? 0) + factor * entry);
}
