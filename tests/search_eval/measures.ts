/**
 * Measures of the quality of a ranking.
 *
 * @module
 */

/** Relevance of documents by ID. */
type Relevance = ReadonlyMap<string, number>;

/** Each from 0 to 1. */
export interface Measures {
  /** Normalised discounted cumulative gain of the first ten (Järvelin and Kekäläinen, 2002). */
  readonly ndcg10: number;
  /** Average precision of the first hundred; its mean over questions is MAP. */
  readonly averagePrecision: number;
  /** Share of the relevant documents that are among the first hundred. */
  readonly recall100: number;
}

const TOP = 10;
const DEPTH = 100;

/** Measures a ranking of document IDs, best first; undefined if no document is relevant. */
export function measure(ranking: readonly string[], relevance: Relevance): Measures | undefined {
  if (relevance.size === 0) return undefined;
  const gains = ranking.slice(0, DEPTH).map((id) => relevance.get(id) ?? 0);
  const ideal = [...relevance.values()].sort((a, b) => b - a);
  const found = gains.filter((gain) => gain > 0).length;
  return {
    ndcg10: discounted(gains) / discounted(ideal),
    averagePrecision: precisions(gains) / relevance.size,
    recall100: found / relevance.size,
  };
}

/** The mean of each measure. */
export function mean(all: readonly Measures[]): Measures {
  const over = (value: (one: Measures) => number) =>
    all.reduce((sum, one) => sum + value(one), 0) / all.length;
  return {
    ndcg10: over(({ ndcg10 }) => ndcg10),
    averagePrecision: over(({ averagePrecision }) => averagePrecision),
    recall100: over(({ recall100 }) => recall100),
  };
}

function discounted(gains: readonly number[]): number {
  return gains.slice(0, TOP).reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}

/** The sum of the precisions at each relevant document. */
function precisions(gains: readonly number[]): number {
  let found = 0;
  return gains.reduce((sum, gain, index) => gain > 0 ? sum + ++found / (index + 1) : sum, 0);
}
