/**
 * Excerpts of search results, with the matches highlighted.
 *
 * @module
 */
import { createRest, type Rest, withRests } from "../../shared/yield_to_event_loop.ts";
import { excerptRanges, portionsOf } from "./excerpt_range.ts";
import type { Occurrence } from "./occurrences.ts";
import { occurrencesOf } from "./occurrences.ts";
import type { Phrase } from "./query.ts";
import type { TextRange } from "./segment.ts";
import { type Term, termsOf } from "./terms.ts";

/** Plain text with highlighted ranges, which are in order and do not overlap. */
export interface Excerpt {
  /** Begins and ends with `…` if the text continues. */
  readonly text: string;
  readonly highlights: readonly TextRange[];
}

/** Approximate length of an excerpt, in UTF-16 code units. */
const LENGTH = 200;
/** Code units before the first occurrence. */
const BEFORE = 60;
const CUT = "…";

/**
 * Returns the part of the text with the most different phrases, or its beginning if it has none. Pauses
 * between the portions of a long text.
 */
export async function excerptOf(
  text: string,
  phrases: readonly Phrase[],
  pause: Rest = createRest(),
): Promise<Excerpt> {
  for (const range of excerptRanges(text, phrases)) {
    const likely = await withRests(markedRange(text, range, phrases), pause);
    if (likely.occurrences.length > 0) {
      return excerptFrom(text, { ...likely, ...bestStart(likely.occurrences) });
    }
  }
  let best: BestRange | undefined;
  for (const portion of portionsOf(text)) {
    const range = await withRests(markedRange(text, portion, phrases), pause);
    const own = { ...range, ...bestStart(range.occurrences, portion.until) };
    if (best === undefined || own.count > best.count) best = own;
    if (best.count === phrases.length) break;
    await pause();
  }
  return best === undefined ? { text, highlights: [] } : excerptFrom(text, best);
}

/** A range of a text, in words. */
interface MarkedRange {
  readonly terms: readonly Term[];
  readonly occurrences: readonly Occurrence[];
}

/** The first place of an excerpt with the most phrases of its text, and how many it has. */
interface BestStart {
  readonly first: number;
  readonly count: number;
}

type BestRange = MarkedRange & BestStart;

function* markedRange(
  text: string,
  { start, end }: TextRange,
  phrases: readonly Phrase[],
): Generator<void, MarkedRange, void> {
  const part = text.slice(start, end);
  const terms = termsOf(part);
  const occurrences = yield* occurrencesOf(phrases, terms, part);
  if (start === 0) return { terms, occurrences };
  const shifted = <T extends TextRange>(range: T): T => ({
    ...range,
    start: range.start + start,
    end: range.end + start,
  });
  return { terms: terms.map(shifted), occurrences: occurrences.map(shifted) };
}

function excerptFrom(text: string, { terms, occurrences, first }: BestRange): Excerpt {
  const { start, end } = windowOf(text, terms, first);
  const before = start > 0 ? CUT : "";
  const shift = before.length - start;
  return {
    text: before + text.slice(start, end) + (end < text.length ? CUT : ""),
    highlights: mergeOverlaps(occurrences)
      .filter((span) => span.start >= start && span.end <= end)
      .map((span) => ({ start: span.start + shift, end: span.end + shift })),
  };
}

/** Returns the start of the first occurrence of an excerpt with the most different phrases. */
function bestStart(occurrences: readonly Occurrence[], until = Infinity): BestStart {
  let best = { first: 0, count: 0 };
  const most = new Set(occurrences.map(({ phrase }) => phrase)).size;
  for (const [index, { start }] of occurrences.entries()) {
    if (start >= until) break;
    const seen = new Set<Phrase>();
    for (let at = index; at < occurrences.length; at++) {
      const one = occurrences[at];
      if (one === undefined || one.start > start + LENGTH - BEFORE) break;
      if (one.end <= start + LENGTH - BEFORE) seen.add(one.phrase);
    }
    if (seen.size > best.count) best = { first: start, count: seen.size };
    if (best.count === most) break;
  }
  return best;
}

/** Returns the range of the excerpt, which begins and ends between terms and between characters. */
function windowOf(text: string, terms: readonly Term[], first: number): TextRange {
  const from = Math.max(0, Math.min(first - BEFORE, text.length - LENGTH));
  const start = from === 0 ? 0 : terms.find((term) => term.start >= from)?.start ?? first;
  if (text.length - start <= LENGTH) return { start, end: text.length };
  const end = terms.findLast((term) => term.end <= start + LENGTH && term.end > start)?.end;
  return { start, end: end ?? whole(text, start + LENGTH) };
}

/** Returns the end of the character at this index. */
function whole(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at + 1 : at;
}

/** Merges overlapping ranges. */
function mergeOverlaps(ranges: readonly TextRange[]): TextRange[] {
  const merged: TextRange[] = [];
  for (const { start, end } of ranges) {
    const last = merged.at(-1);
    if (last === undefined || start >= last.end) merged.push({ start, end });
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, end) };
  }
  return merged;
}
