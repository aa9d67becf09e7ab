/**
 * Counts of a cache.
 *
 * @module
 */

/** How often a cache had what it was asked for. */
export interface CacheCounts {
  hits: number;
  misses: number;
}

/** Counts a question to a cache, and returns its answer. */
export function countAnswer<T>(counts: CacheCounts, answer: T | undefined): T | undefined {
  if (answer === undefined) counts.misses++;
  else counts.hits++;
  return answer;
}
