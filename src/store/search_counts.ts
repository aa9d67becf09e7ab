/**
 * Estimates how many parts have a word if they are too many to count.
 *
 * @module
 */

/** How many of the newest parts are counted for each phrase; the rest is estimated. */
export const COUNTED = 1_000;

/** The counted parts of a phrase. */
export interface Counted {
  readonly count: number;
  /** Number of the last part that was counted. */
  readonly lowest: number;
}

/** The parts of a workspace: how many, and the numbers of the first and the last. */
export interface AllParts {
  readonly parts: number;
  readonly first: number;
  readonly last: number;
}

/** Estimates how many parts have the word; exact if all were counted. */
export function totalCount({ count, lowest }: Counted, { parts, first, last }: AllParts): number {
  if (count < COUNTED) return count;
  const density = count / (last - lowest + 1);
  return Math.min(parts, Math.round(density * (last - first + 1)));
}
