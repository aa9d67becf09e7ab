/**
 * Ranks the results of keyword search.
 *
 * @module
 */
import type { MeasuredPart } from "./score.ts";

/** A matching part of a page. */
export interface MatchingPart extends MeasuredPart {
  readonly id: string;
  readonly no: number;
}

/** A position in a ranking: higher scores first, then newer pages. */
export interface RankCursor {
  readonly score: number;
  readonly no: number;
}

export interface RankedPage<Part = MatchingPart> extends RankCursor {
  readonly id: string;
  /** The best of its parts. */
  readonly part: Part;
}

/** Returns the pages of these parts, best first; a page's score is that of its best part. */
export function rankPages<Part extends MatchingPart>(
  parts: readonly Part[],
  score: (part: MeasuredPart) => number,
): RankedPage<Part>[] {
  const pages = new Map<string, RankedPage<Part>>();
  for (const part of parts) {
    const own = { id: part.id, no: part.no, score: score(part), part };
    const best = pages.get(part.id);
    if (best === undefined || best.score < own.score) pages.set(part.id, own);
  }
  return [...pages.values()].sort(compareRankCursors);
}

/** Returns a negative number if the first position comes before the second. */
export function compareRankCursors(a: RankCursor, b: RankCursor): number {
  return b.score - a.score || b.no - a.no;
}
