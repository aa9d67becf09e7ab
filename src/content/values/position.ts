/**
 * Sibling order as fractional indexes: an insert between two children rewrites neither.
 *
 * @module
 */
import { generateNKeysBetween } from "fractional-indexing";

/** The positions that new children must fall between; null is an open end. */
export interface Gap {
  readonly after: string | null;
  readonly before: string | null;
}

/** `count` new positions inside the gap, in order. Positions compare by their code units. */
export function positionsIn(gap: Gap, count: number): string[] {
  return generateNKeysBetween(gap.after, gap.before, count);
}
