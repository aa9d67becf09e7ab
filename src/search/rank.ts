/**
 * Pages ranked by what a question means.
 *
 * @module
 */
import { fuse, type Scored } from "./fuse.ts";
import type { NearPage } from "./vectors/page_vectors.ts";
import { toUnit, type Vector } from "./vectors/vector.ts";

export interface Question {
  readonly vector: Vector;
  /** The ranking by words, which is brought in; left out where meaning alone counts. */
  readonly byWords?: readonly Scored[];
}

/** The pages among which answers are looked for. */
export interface Neighbours {
  /** The nearest pages, nearest first. */
  nearest(vector: Vector): Promise<NearPage[]>;
  /** The vector of a passage, of length one. */
  vector(passage: Pick<NearPage, "pageId" | "passage">): Vector;
}

/** A page, how well it fits, and its passage that fits best. */
export interface RankedPage extends Scored {
  /** Number of the passage in its page; undefined where only its words were found. */
  readonly passage: number | undefined;
}

/** First answers that the question learns from, and what they count beside it (Rocchio, 1971). */
const FEEDBACK_PAGES = 5;
const FEEDBACK_WEIGHT = 0.5;

/**
 * The pages that are near or that words found, best first. The question is asked twice: the second
 * time it has learnt from the best answers to the first how the workspace speaks of its subject.
 */
export async function rankPages(
  pages: Neighbours,
  { vector, byWords }: Question,
): Promise<RankedPage[]> {
  const first = toRanking(await pages.nearest(vector), byWords);
  const drawn = withFeedback(pages, vector, first);
  return toRanking(await pages.nearest(drawn), byWords);
}

function toRanking(
  near: readonly NearPage[],
  byWords: readonly Scored[] | undefined,
): RankedPage[] {
  if (byWords === undefined) return [...near];
  const passages = new Map(near.map(({ pageId, passage }) => [pageId, passage]));
  return fuse(near, byWords).map((page) => ({ ...page, passage: passages.get(page.pageId) }));
}

/** The question drawn towards its first answers, as near as each came to it. */
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
  const drawn = question.slice();
  addMultiple(drawn, FEEDBACK_WEIGHT, toUnit(total));
  return toUnit(drawn);
}

function product(a: Vector, b: Vector): number {
  return a.reduce((sum, entry, i) => sum + entry * (b[i] ?? 0), 0);
}

function addMultiple(sum: Vector, factor: number, vector: Vector): void {
  vector.forEach((entry, i) => sum[i] = (sum[i] ?? 0) + factor * entry);
}
