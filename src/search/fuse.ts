/**
 * Merges a ranking by meaning with one by words. Their scores have different scales, and how much the
 * words count depends on the question.
 *
 * @module
 */

/** A page and its score; higher is better. */
export interface Scored {
  readonly pageId: string;
  readonly score: number;
}

export interface Fusion {
  readonly byMeaning: readonly Scored[];
  /** Scores above 0; a page that is not there has none of the words. */
  readonly byWords: readonly Scored[];
  /** The weight of words relative to meaning. */
  readonly weight: number;
}

export interface Rankings extends Omit<Fusion, "weight"> {
  /** Share of the question that the model knows, from 0 to 1; undefined if the embedder cannot tell. */
  readonly explained?: number;
}

/** Pages of each ranking that are merged. */
export const CANDIDATES = 200;
/** Pages of each ranking whose scores in the other one show whether the two agree. */
const FIRST = 10;
/** Chosen with `search eval`, on abstracts, titles and questions that a text answers literally. */
const WEIGHT = 0.35;
const LEAST_WEIGHT = 0.2;
const MOST_WEIGHT = 4;
/** Less agreement than this many deviations is none. */
const LEAST_AGREEMENT = 0.5;
/** The share of a question that an embedder is taken to know if it cannot tell. */
const USUALLY_EXPLAINED = 0.2;

/**
 * Returns both rankings as one, best first. Scores are converted to standard deviations from the mean
 * of the candidates (z-scores), so that scales do not matter. Without the words, a page has a score of
 * 0; a page whose meaning was not compared gets the lowest score of those that were.
 */
export function fuse({ byMeaning, byWords, weight }: Fusion): Scored[] {
  const { ids, meaning, words } = candidates(byMeaning, byWords);
  const score = (pageId: string) => meaning(pageId) + weight * words(pageId);
  return ids.map((pageId) => ({ pageId, score: score(pageId) })).sort(byScore);
}

/**
 * Returns how much words count for a question. They count for little where meaning and words agree,
 * because then meaning orders what words cannot; and for much where the model explains little of the
 * question, as of names and rare words.
 */
export function wordWeight({ byMeaning, byWords, explained }: Rankings): number {
  const share = explained ?? USUALLY_EXPLAINED;
  const { meaning, words } = candidates(byMeaning, byWords);
  const first = (ranking: readonly Scored[]) => ranking.slice(0, FIRST).map(({ pageId }) => pageId);
  const agreement = (mean(first(byWords).map(meaning)) + mean(first(byMeaning).map(words))) / 2;
  const weight = WEIGHT / (Math.max(agreement, LEAST_AGREEMENT) * share);
  return Math.min(MOST_WEIGHT, Math.max(LEAST_WEIGHT, weight));
}

/** Orders a ranking: best first, equal scores by ID. */
export function byScore(a: Scored, b: Scored): number {
  if (a.score !== b.score) return b.score - a.score;
  return a.pageId < b.pageId ? -1 : a.pageId > b.pageId ? 1 : 0;
}

interface Candidates {
  readonly ids: readonly string[];
  /** Return the z-score of a candidate. */
  meaning(pageId: string): number;
  words(pageId: string): number;
}

/** The first pages of either ranking, with their scores in both. */
function candidates(byMeaning: readonly Scored[], byWords: readonly Scored[]): Candidates {
  const wordScores = scoresOf(byWords);
  const meaningScores = scoresOf(byMeaning);
  const lowest = byMeaning.reduce((least, { score }) => Math.min(least, score), Infinity);
  const nearest = byMeaning.toSorted(byScore).slice(0, CANDIDATES);
  const ids = [
    ...new Set(
      [...nearest, ...byWords.toSorted(byScore).slice(0, CANDIDATES)].map((page) => page.pageId),
    ),
  ];
  return {
    ids,
    meaning: zScore(
      ids,
      (pageId) => meaningScores.get(pageId) ?? (lowest === Infinity ? 0 : lowest),
    ),
    words: zScore(ids, (pageId) => wordScores.get(pageId) ?? 0),
  };
}

function scoresOf(ranking: readonly Scored[]): ReadonlyMap<string, number> {
  return new Map(ranking.map(({ pageId, score }) => [pageId, score]));
}

function zScore(
  ids: readonly string[],
  score: (pageId: string) => number,
): (pageId: string) => number {
  const scores = ids.map(score);
  const middle = mean(scores);
  const deviation = Math.sqrt(mean(scores.map((one) => (one - middle) ** 2)));
  // Without deviation, the list does not tell which page is better.
  return (pageId) => deviation === 0 ? 0 : (score(pageId) - middle) / deviation;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0) / Math.max(1, numbers.length);
}
