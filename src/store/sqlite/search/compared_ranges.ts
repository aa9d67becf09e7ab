/**
 * Ranges of part numbers that one statement looks through for a phrase. FTS5 compares the places of
 * its terms in every part that has them all, and ends a statement only where the phrase is: where
 * many parts have the terms and none the phrase, it would look through all of them at once.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { PARTS } from "../../search_parts.ts";
import { type Query, query } from "../query.ts";

/** Numbers of parts: `from` inclusive, `before` exclusive. */
export interface NumberRange {
  readonly from: number;
  readonly before: number;
}

/** Numbers of the first range: those of few pages, because each may be long. */
const FIRST = 16 * PARTS;
/** Milliseconds of a statement above which the next range is smaller, and below which it is larger. */
const TIME = { most: 8, least: 2 };
const FACTOR = 4;
/** Numbers of the largest range: those of as many pages as FTS5 compares in some 5 ms. */
const MOST = 16_384 * PARTS;
/** A statement that is faster than the last one by less than this factor does not gain by fewer numbers. */
const SLOWER = 1.5;

/** Returns whether FTS5 compares places of terms to find an expression. */
export function comparesPlaces(expression: string): boolean {
  return /"[^" ]+ [^"]/.test(expression);
}

export interface RangeWalk {
  /** Returns the next range, newest parts first; undefined behind the last. */
  next(): NumberRange | undefined;
  /** Continues below this number, if a statement has ended before its range did. */
  continueBelow(number: number): void;
  /** Chooses the size of the next range by the milliseconds that the last one took. */
  adapt(time: number): void;
}

/** Walks through the numbers. */
export function walkRanges({ from, before }: NumberRange): RangeWalk {
  let end = before;
  let size = FIRST;
  let last = { size: 0, time: 0 };
  // A statement takes some time with any numbers where one part has a term very often.
  let [floor, shortest] = [0, Infinity];
  return {
    next() {
      if (end <= from) return undefined;
      const range = { from: Math.max(from, end - size), before: end };
      end = range.from;
      return range;
    },
    continueBelow: (number) => void (end = number),
    adapt(time) {
      if (size < last.size && SLOWER * time > last.time) floor = Math.max(floor, time);
      shortest = Math.min(shortest, time);
      last = { size, time };
      const ofNumbers = time - (time > TIME.most ? floor : Math.max(floor, shortest));
      if (ofNumbers < TIME.least) size = Math.min(MOST, size * FACTOR);
      else if (ofNumbers > TIME.most) size = Math.max(1, Math.floor(size / FACTOR));
    },
  };
}

/** Prepares the statement that tells between which numbers the parts of a workspace are. */
export function createNumbersOf(db: DatabaseSync): (workspace: string) => NumberRange {
  const ends: Query<[first: number | null, last: number | null]> = query(
    db,
    `SELECT
      (SELECT no FROM search_parts WHERE workspace_id = ?1 ORDER BY no LIMIT 1),
      (SELECT no FROM search_parts WHERE workspace_id = ?1 ORDER BY no DESC LIMIT 1)`,
  );
  return (workspace) => {
    const [first, last] = ends.get(workspace) ?? [];
    return { from: first ?? 0, before: (last ?? -1) + 1 };
  };
}
