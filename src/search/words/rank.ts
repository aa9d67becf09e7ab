/**
 * Ranking what was found by its words.
 *
 * @module
 */
import type { MeasuredPart } from "./score.ts";

/** A part of a page that was found. */
export interface FoundPart extends MeasuredPart {
  readonly id: string;
  readonly no: number;
}

/** Where a page stands in a ranking: better scores first, of equals the newer page. */
export interface RankCursor {
  readonly score: number;
  readonly no: number;
}

export interface RankedPage extends RankCursor {
  readonly id: string;
}

/** The pages of some parts, each as good as its best part, best first. */
export function rankPages(
  parts: readonly FoundPart[],
  score: (part: MeasuredPart) => number,
): RankedPage[] {
  const pages = new Map<string, RankedPage>();
  for (const part of parts) {
    const own = { id: part.id, no: part.no, score: score(part) };
    const known = pages.get(part.id);
    if (known === undefined || known.score < own.score) pages.set(part.id, own);
  }
  return [...pages.values()].sort(compareRankCursors);
}

/** Less than 0 where the first stands before the second. */
export function compareRankCursors(a: RankCursor, b: RankCursor): number {
  return b.score - a.score || b.no - a.no;
}
