/**
 * Ranks the results of keyword search.
 *
 * @module
 */
/** A position in a ranking: higher scores first, then newer pages. */
export interface RankCursor {
  readonly score: number;
  readonly no: number;
}

export interface RankedPage<Part> extends RankCursor {
  readonly id: string;
  /** The best of its parts. */
  readonly part: Part;
}

/** Returns a negative number if the first position comes before the second. */
export function compareRankCursors(a: RankCursor, b: RankCursor): number {
  return b.score - a.score || b.no - a.no;
}
