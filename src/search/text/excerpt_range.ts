/**
 * Ranges of a long text that are split into words by themselves: where an excerpt will probably be,
 * because the dictionaries of scripts without spaces take a millisecond for a thousand letters, and
 * portions of the whole text.
 *
 * @module
 */
import { indexIn } from "../../shared/text_search.ts";
import type { Phrase } from "./query.ts";
import { isUnspaced, type TextRange } from "./segment.ts";

/** UTF-16 code units of a text that is split as a whole. */
const SHORT = 600;
/** Code units of a portion: splitting it takes some milliseconds at most. */
export const PORTION = 4_000;
/** Code units in which the phrases should be together. */
const TOGETHER = 140;
/** Code units before and after the first: those of an excerpt and of the words that may be cut. */
const BEFORE = 100;
const AFTER = 240;
/** Ranges that are tried. */
const MOST_RANGES = 4;
/** Places of each phrase that are considered. */
const MOST_PLACES = 50;
const LOW_SURROGATE = /[\uDC00-\uDFFF]/;
/** Splits between words, whatever the script. */
const SEPARATOR = /[\s\u3000-\u3002\uFF01\uFF0C\uFF1A\uFF1B\uFF1F]/;

/**
 * Returns the ranges around the most different phrases, as they are written, in a long text of a script
 * without spaces. Empty for other texts, and if the text has none of the phrases so.
 */
export function excerptRanges(text: string, phrases: readonly Phrase[]): TextRange[] {
  if (text.length <= SHORT || !isUnspaced(text)) return [];
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return [];
  return bestPlaces(placesOf(lower, phrases)).map((first) => ({
    start: separated(text, Math.max(0, first - BEFORE), first),
    end: wholeEnd(text, Math.min(text.length, first + AFTER)),
  }));
}

/** A portion of a text, and what surrounds it: as much as the excerpt of an occurrence in it. */
export interface TextPortion extends TextRange {
  /** Start of the next portion. */
  readonly until: number;
}

/** Yields the portions of a text in order; a text that is not long is one. */
export function* portionsOf(text: string): Generator<TextPortion> {
  if (text.length <= PORTION) return yield { start: 0, end: text.length, until: text.length };
  for (let from = 0; from < text.length; from += PORTION) {
    yield {
      start: separated(text, Math.max(0, from - BEFORE), from),
      end: wholeEnd(text, Math.min(text.length, from + PORTION + AFTER)),
      until: from + PORTION,
    };
  }
}

interface Place {
  readonly at: number;
  readonly phrase: number;
}

function placesOf(text: string, phrases: readonly Phrase[]): Place[] {
  return phrases.flatMap(({ terms }, phrase) => {
    const places: Place[] = [];
    const wanted = terms.join("");
    let at = wanted === "" ? -1 : indexIn(text, wanted);
    for (; at >= 0 && places.length < MOST_PLACES; at = indexIn(text, wanted, at + 1)) {
      places.push({ at, phrase });
    }
    return places;
  }).sort((a, b) => a.at - b.at);
}

/** Returns the places from which on the most different phrases are together, best first. */
function bestPlaces(places: readonly Place[]): number[] {
  const best: number[] = [];
  const counted = places.map(({ at }, index) => {
    const near = places.slice(index, index + MOST_PLACES).filter((one) => one.at < at + TOGETHER);
    return { at, count: new Set(near.map(({ phrase }) => phrase)).size };
  }).sort((a, b) => b.count - a.count || a.at - b.at);
  for (const { at } of counted) {
    if (best.every((other) => Math.abs(other - at) > TOGETHER)) best.push(at);
    if (best.length === MOST_RANGES) break;
  }
  return best;
}

/** Returns the first position behind a separator, so that no word is cut; without one, `from`. */
function separated(text: string, from: number, to: number): number {
  if (from === 0) return 0;
  for (let at = from; at < to; at++) {
    if (SEPARATOR.test(text.charAt(at))) return at + 1;
  }
  return wholeEnd(text, from);
}

/** Returns the end of the character at this index. */
function wholeEnd(text: string, at: number): number {
  return LOW_SURROGATE.test(text.charAt(at)) ? at + 1 : at;
}
