/**
 * One ranking out of two, whose scores are of different kinds.
 *
 * @module
 */

/** What was found, and how well it fits: more is better. */
export interface Scored {
  readonly pageId: string;
  readonly score: number;
}

/**
 * What a ranking by words counts beside one by meaning. Measured best on the Cranfield collection
 * between 0.2 and 0.4, whichever way the meaning is learnt.
 */
const KEYWORD_WEIGHT = 0.3;

/**
 * Both rankings as one, best first. Each score is counted in standard deviations from the mean of its
 * own list (z-scores), so neither scale matters; what one list lacks is taken to be as its last.
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

/** Best first, equals by id: the order of every ranking. */
export function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || (a.pageId < b.pageId ? -1 : 1);
}

interface ZScores {
  readonly of: ReadonlyMap<string, number>;
  readonly least: number;
}

function zScores(ranking: readonly Scored[]): ZScores {
  const scores = ranking.map(({ score }) => score);
  const mean = sum(scores) / scores.length;
  const deviation = Math.sqrt(sum(scores.map((score) => (score - mean) ** 2)) / scores.length);
  // A list of equals, or of one, says nothing about which is better.
  const z = (score: number) => deviation === 0 ? 0 : (score - mean) / deviation;
  return {
    of: new Map(ranking.map(({ pageId, score }) => [pageId, z(score)])),
    least: scores.length === 0 ? 0 : z(Math.min(...scores)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
