/**
 * Pages ranked by what a question means.
 *
 * @module
 */
import { fuse, type Scored } from "./fuse.ts";
import type { PageVectors } from "./vectors/page_vectors.ts";
import { toUnit, type Vector } from "./vectors/vector.ts";

export interface Question {
  readonly vector: Vector;
  /** The ranking by words, which is brought in; left out where meaning alone counts. */
  readonly byWords?: readonly Scored[];
}

/** A page, how well it fits, and its passage that fits best. */
export interface RankedPage extends Scored {
  /** Number of the passage in its page; undefined where only its words were found. */
  readonly passage: number | undefined;
}

/** Pages of either ranking that are considered. */
export const CANDIDATES = 200;
/** First answers that the question learns from, and what they count beside it (Rocchio, 1971). */
const FEEDBACK_PAGES = 5;
const FEEDBACK_WEIGHT = 0.5;

/**
 * At most 400 pages, best first. The question is asked twice: the second time it has learnt from the
 * best answers to the first how the workspace speaks of its subject.
 */
export function rankPages(pages: PageVectors, { vector, byWords }: Question): RankedPage[] {
  const first = rankOnce(pages, vector, byWords);
  return rankOnce(pages, withFeedback(pages, vector, first), byWords);
}

function rankOnce(
  pages: PageVectors,
  vector: Vector,
  byWords: readonly Scored[] | undefined,
): RankedPage[] {
  const near = pages.nearest(vector, CANDIDATES);
  if (byWords === undefined) return near;
  const passages = new Map(near.map(({ pageId, passage }) => [pageId, passage]));
  return fuse(near, byWords).map((page) => ({ ...page, passage: passages.get(page.pageId) }));
}

/** The question drawn towards its first answers, as near as each came to it. */
function withFeedback(
  pages: PageVectors,
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
