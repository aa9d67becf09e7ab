/**
 * Lets pages take part in the scores of pages that are about the same: what is relevant to a question
 * lies together (score regularization, Diaz 2005).
 *
 * @module
 */
import { byScore, type Scored } from "./fuse.ts";
import type { Vector } from "./vectors/vector.ts";

/** Pages, from the first, whose scores change, and those among them that lend theirs. */
const CHANGED = 100;
const LENDERS = 30;
/** Nearest lenders of each page. */
const NEIGHBOURS = 5;

/**
 * Replaces this share of each score by the mean score of the page's neighbours among the best, weighted
 * by their squared similarity. Returns the pages best first; those without a vector keep their score.
 */
export function withNeighbourScores<P extends Scored>(
  ranked: readonly P[],
  vectorOf: (page: P) => Vector | undefined,
  share: number,
): P[] {
  const changed = ranked.slice(0, CHANGED).map((page) => ({ page, vector: vectorOf(page) }));
  const lenders = changed.slice(0, LENDERS);
  const smoothed = changed.map(({ page, vector }) => {
    const score = vector && neighbourScore(lenders.filter((one) => one.page !== page), vector);
    return score === undefined
      ? page
      : { ...page, score: (1 - share) * page.score + share * score };
  });
  return [...smoothed, ...ranked.slice(CHANGED)].sort(byScore);
}

interface Lender {
  readonly page: Scored;
  readonly vector: Vector | undefined;
}

function neighbourScore(lenders: readonly Lender[], vector: Vector): number | undefined {
  const nearest = lenders.map(({ page, vector: other }) => ({
    score: page.score,
    similarity: Math.max(0, other === undefined ? 0 : product(vector, other)) ** 2,
  })).sort((a, b) => b.similarity - a.similarity).slice(0, NEIGHBOURS);
  const total = nearest.reduce((sum, { similarity }) => sum + similarity, 0);
  if (total === 0) return undefined;
  return nearest.reduce((sum, { score, similarity }) => sum + score * similarity, 0) / total;
}

/** Returns the inner product; of unit vectors, their cosine. */
export function product(a: Vector, b: Vector): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
