/**
 * Finds where an excerpt of a long text will probably be, so that only that is split into words: the
 * dictionaries of scripts without spaces take a millisecond for a thousand letters.
 *
 * @module
 */
import type { Phrase } from "./query.ts";
import { isUnspaced, type TextRange } from "./segment.ts";

/** UTF-16 code units of a text that is split as a whole. */
const SHORT = 600;
/** Code units in which the phrases should be together. */
const TOGETHER = 140;
/** Code units around them: an excerpt is shorter, and words at the ends may be cut. */
const AROUND = 260;
/** Places of each phrase that are considered. */
const MOST_PLACES = 50;
const LOW_SURROGATE = /[\uDC00-\uDFFF]/;
/** Splits between words, whatever the script. */
const SEPARATOR = /[\s\u3000-\u3002\uFF01\uFF0C\uFF1A\uFF1B\uFF1F]/;

/**
 * Returns the range around the most different phrases, as they are written, in a long text of a script
 * without spaces. Undefined for other texts, and if the text has none of the phrases so.
 */
export function excerptRange(text: string, phrases: readonly Phrase[]): TextRange | undefined {
  if (text.length <= SHORT || !isUnspaced(text)) return undefined;
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return undefined;
  const first = bestPlace(placesOf(lower, phrases));
  if (first === undefined) return undefined;
  return {
    start: separated(text, Math.max(0, first - AROUND), first),
    end: wholeEnd(text, Math.min(text.length, first + TOGETHER + AROUND)),
  };
}

interface Place {
  readonly at: number;
  readonly phrase: number;
}

function placesOf(text: string, phrases: readonly Phrase[]): Place[] {
  return phrases.flatMap(({ terms: [term = ""] }, phrase) => {
    const places: Place[] = [];
    let at = term === "" ? -1 : text.indexOf(term);
    for (; at >= 0 && places.length < MOST_PLACES; at = text.indexOf(term, at + 1)) {
      places.push({ at, phrase });
    }
    return places;
  }).sort((a, b) => a.at - b.at);
}

/** Returns the first place from which on the most different phrases are together. */
function bestPlace(places: readonly Place[]): number | undefined {
  let best: { readonly at: number; readonly count: number } | undefined;
  for (const [index, { at }] of places.entries()) {
    const near = places.slice(index, index + MOST_PLACES).filter((one) => one.at < at + TOGETHER);
    const count = new Set(near.map(({ phrase }) => phrase)).size;
    if (count > (best?.count ?? 0)) best = { at, count };
  }
  return best?.at;
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
