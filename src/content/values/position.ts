/**
 * Orders siblings by fractional indexes, so that an insert does not rewrite other siblings.
 *
 * @module
 */
import { generateNKeysBetween } from "fractional-indexing";

/** The positions before and after new children; null at the start or end. */
export interface Gap {
  readonly after: string | null;
  readonly before: string | null;
}

/** Returns `count` new positions in the gap, in order. Positions compare by code units. */
export function positionsIn(gap: Gap, count: number): string[] {
  return generateNKeysBetween(gap.after, gap.before, count);
}
