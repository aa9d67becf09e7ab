/**
 * Orders siblings by fractional indexes, so that an insert does not rewrite other siblings.
 *
 * @module
 */
import { BASE_62_DIGITS, generateNKeysBetween } from "fractional-indexing";

/** The positions before and after new children; null at the start or end. */
export interface Gap {
  readonly after: string | null;
  readonly before: string | null;
}

/**
 * Returns `count` new positions in the gap, in order. Positions compare by code units.
 *
 * The longer end of a gap is usually the newer one: a client inserts at one place again and again. New
 * positions are right beside it, because one in the middle would halve the gap with every insert.
 */
export function positionsIn({ after, before }: Gap, count: number): string[] {
  if (after !== null && before !== null && after.length !== before.length) {
    if (after.length > before.length && hasFraction(after)) {
      return iterated(after, count, (last) => above(last, before));
    }
    if (before.length > after.length && hasFraction(before)) {
      return iterated(before, count, (last) => below(last, after)).reverse();
    }
  }
  return generateNKeysBetween(after, before, count);
}

function iterated(start: string, count: number, next: (last: string) => string): string[] {
  const all: string[] = [];
  for (let last = start; all.length < count; all.push(last)) last = next(last);
  return all;
}

/** A position between one and a shorter one after it. */
function above(position: string, before: string): string {
  const next = step(position, 1);
  return next !== undefined && next < before ? next : position + room(position, before);
}

/** A position between one and a shorter one before it. */
function below(position: string, after: string): string {
  const next = step(position, -1);
  if (next !== undefined && next > after) return next;
  const last = digitAt(position, position.length - 1);
  return position.slice(0, -1) + BASE_62_DIGITS.charAt(last - 1) + room(position, after);
}

/** The largest number of digits by which a position grows at once: enough for millions of inserts. */
const MAX_GROWTH = 4;

/** Digits for more positions: the more, the longer inserts have been at this place. */
function room(position: string, other: string): string {
  const middle = BASE_62_DIGITS.charAt(BASE_62_DIGITS.length >> 1);
  return middle.repeat(Math.min(position.length - other.length, MAX_GROWTH));
}

/**
 * The next position of the same length; undefined if its integer would change. Positions do not end
 * with the digit 0.
 */
function step(position: string, by: 1 | -1): string | undefined {
  const start = integerLength(position);
  const most = BASE_62_DIGITS.length - 1;
  let tail = "";
  for (let at = position.length - 1; at >= start; at--) {
    const least = tail === "" ? 1 : 0;
    const digit = digitAt(position, at) + by;
    if (digit >= least && digit <= most) {
      return position.slice(0, at) + BASE_62_DIGITS.charAt(digit) + tail;
    }
    tail = BASE_62_DIGITS.charAt(by > 0 ? least : most) + tail;
  }
  return undefined;
}

function digitAt(position: string, at: number): number {
  return BASE_62_DIGITS.indexOf(position.charAt(at));
}

function hasFraction(position: string): boolean {
  return position.length > integerLength(position);
}

/** The first letter of a position says how long its integer is: `a` and `Z` two characters, … */
function integerLength(position: string): number {
  const head = position.charAt(0);
  return 2 +
    (head >= "a" ? head.charCodeAt(0) - "a".charCodeAt(0) : "Z".charCodeAt(0) - head.charCodeAt(0));
}
