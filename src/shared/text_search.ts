/**
 * Finds a text in a longer one, in time that grows with the length of both (Knuth, Morris and Pratt).
 * That of `indexOf()` grows with their product if both repeat themselves, so that one call may take
 * seconds.
 *
 * @module
 */
import { atOnce } from "./yield_to_event_loop.ts";

/** UTF-16 code units of a text that `indexOf()` finds fast enough, wherever it looks. */
export const SHORT = 32;
/** UTF-16 code units of a step. */
const STEP = 16_384;

/** A text to find. */
export interface Pattern {
  readonly text: string;
  /** Its UTF-16 code units, which are read faster than those of a text. */
  readonly codes: Uint16Array;
  /** The lengths of the longest border of each prefix: what both begins and ends it. */
  readonly borders: Int32Array;
}

/** Prepares a text to be found, in steps. */
export function* patternSteps(text: string): Generator<void, Pattern, void> {
  const { length } = text;
  const pattern = { text, codes: new Uint16Array(length), borders: new Int32Array(length) };
  let matched = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    pattern.codes[at] = code;
    if (at > 0) matched = extended(pattern, matched, code);
    pattern.borders[at] = matched;
    if ((at + 1) % STEP === 0) yield;
  }
  return pattern;
}

/** Prepares a text to be found. */
export function patternOf(text: string): Pattern {
  return atOnce(patternSteps(text));
}

/** Returns how much of the pattern is matched after one more code unit. */
export function extended(
  { codes, borders }: Pattern,
  matched: number,
  code: number,
): number {
  let length = matched;
  while (length > 0 && codes[length] !== code) length = borders[length - 1] ?? 0;
  return codes[length] === code ? length + 1 : length;
}

/**
 * Yields the start of each match at or after `from`; they do not overlap. Between steps of the search
 * it yields undefined. There is no match of an empty pattern.
 */
export function matchSteps(
  pattern: Pattern,
  text: string,
  from = 0,
): Generator<number | undefined, void, void> {
  return searchSteps(pattern, text, { from, kept: 0 });
}

/** Yields the start of each match, also of those that overlap. */
export function* overlappingMatches(pattern: Pattern, text: string): Generator<number> {
  const kept = pattern.borders.at(-1) ?? 0;
  for (const start of searchSteps(pattern, text, { from: 0, kept })) {
    if (start !== undefined) yield start;
  }
}

interface SearchOptions {
  readonly from: number;
  /** How much of a match may begin the next one. */
  readonly kept: number;
}

function* searchSteps(
  pattern: Pattern,
  text: string,
  { from, kept }: SearchOptions,
): Generator<number | undefined, void, void> {
  const { length } = pattern.text;
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    matched = extended(pattern, matched, text.charCodeAt(at));
    if (matched === length && length > 0) {
      matched = kept;
      yield at + 1 - length;
    }
    if ((at + 1) % STEP === 0) yield undefined;
  }
}

/** Does what `indexOf()` does. */
export function indexIn(text: string, wanted: string, from = 0): number {
  if (wanted.length <= SHORT) return text.indexOf(wanted, from);
  for (const start of matchSteps(patternOf(wanted), text, from)) {
    if (start !== undefined) return start;
  }
  return -1;
}

/** Does what `split()` does with a separator that is not empty. */
export function splitBy(text: string, separator: string, limit: number): string[] {
  if (separator.length <= SHORT) return text.split(separator, limit);
  const parts: string[] = [];
  let start = 0;
  for (const end of matchSteps(patternOf(separator), text)) {
    if (end === undefined) continue;
    parts.push(text.slice(start, end));
    start = end + separator.length;
    if (parts.length >= limit) return parts.slice(0, limit);
  }
  return [...parts, text.slice(start)].slice(0, limit);
}
