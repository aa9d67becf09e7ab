/**
 * Merges two rankings whose scores have different scales.
 *
 * @module
 */

/** A page and its score; higher is better. */
export interface Scored {
  readonly pageId: string;
  readonly score: number;
}

/**
 * Weight of the keyword ranking relative to the semantic one. Values from 0.2 to 0.4 gave the best
 * results on the Cranfield collection, with every embedder.
 */
const KEYWORD_WEIGHT = 0.3;

/**
 * Returns both rankings as one, best first. Scores are converted to standard deviations from the mean
 * of their own list (z-scores), so that scales do not matter. A page that one list lacks gets the
 * lowest score of that list.
 */
export function fuse(byMeaning: readonly Scored[], byWords: readonly Scored[]): Scored[] {
  const meaning = zScores(byMeaning);
  const words = zScores(byWords);
  const pageIds = new Set([...meaning.of.keys(), ...words.of.keys()]);
  const fused = [...pageIds].map((pageId) => ({
    pageId,
    score: (meaning.of.get(pageId) ?? meaning.least) +
      KEYWORD_WEIGHT * (words.of.get(pageId) ?? words.least),
  }));
  return fused.sort(byScore);
}

/** Orders a ranking: best first, equal scores by ID. */
export function byScore(a: Scored, b: Scored): number {
  if (a.score !== b.score) return b.score - a.score;
  return a.pageId < b.pageId ? -1 : a.pageId > b.pageId ? 1 : 0;
}

interface ZScores {
  readonly of: ReadonlyMap<string, number>;
  readonly least: number;
}

function zScores(ranking: readonly Scored[]): ZScores {
  const scores = ranking.map(({ score }) => score);
  const mean = sum(scores) / scores.length;
  const deviation = Math.sqrt(sum(scores.map((score) => (score - mean) ** 2)) / scores.length);
  // Without deviation, the list does not tell which page is better.
  const z = (score: number) => deviation === 0 ? 0 : (score - mean) / deviation;
  return {
    of: new Map(ranking.map(({ pageId, score }) => [pageId, z(score)])),
    least: scores.length === 0 ? 0 : z(Math.min(...scores)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
