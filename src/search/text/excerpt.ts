/**
 * The part of a text that shows why it was found.
 *
 * @module
 */
import type { Occurrence } from "./occurrences.ts";
import { occurrencesOf } from "./occurrences.ts";
import type { Phrase } from "./query.ts";
import type { TextRange } from "./segment.ts";
import { type Term, termsOf } from "./terms.ts";

/** A piece of plain text and what to mark in it: in order, apart from one another. */
export interface Excerpt {
  /** With `…` where the text goes on. */
  readonly text: string;
  readonly highlights: readonly TextRange[];
}

/** UTF-16 code units of an excerpt, about. */
const LENGTH = 200;
/** Of those, before the first occurrence. */
const BEFORE = 60;
const CUT = "…";

/** The part of the text with the most different phrases in it; its beginning where there is none. */
export function excerptOf(text: string, phrases: readonly Phrase[]): Excerpt {
  const terms = termsOf(text);
  const occurrences = occurrencesOf(phrases, terms);
  const { start, end } = windowOf(text, terms, bestStart(occurrences));
  const before = start > 0 ? CUT : "";
  const shift = before.length - start;
  return {
    text: before + text.slice(start, end) + (end < text.length ? CUT : ""),
    highlights: apart(occurrences)
      .filter((span) => span.start >= start && span.end <= end)
      .map((span) => ({ start: span.start + shift, end: span.end + shift })),
  };
}

/** Where the first of the occurrences begins that show the most phrases in one excerpt. */
function bestStart(occurrences: readonly Occurrence[]): number {
  let best = { start: 0, count: 0 };
  for (const [index, { start }] of occurrences.entries()) {
    const seen = new Set<Phrase>();
    for (let at = index; at < occurrences.length; at++) {
      const one = occurrences[at];
      if (one === undefined || one.start > start + LENGTH - BEFORE) break;
      if (one.end <= start + LENGTH - BEFORE) seen.add(one.phrase);
    }
    if (seen.size > best.count) best = { start, count: seen.size };
  }
  return best.start;
}

/** The excerpt's place: it begins and ends where no term is cut, and no character. */
function windowOf(text: string, terms: readonly Term[], first: number): TextRange {
  const from = Math.max(0, Math.min(first - BEFORE, text.length - LENGTH));
  const start = from === 0 ? 0 : terms.find((term) => term.start >= from)?.start ?? first;
  if (text.length - start <= LENGTH) return { start, end: text.length };
  const end = terms.findLast((term) => term.end <= start + LENGTH && term.end > start)?.end;
  return { start, end: end ?? whole(text, start + LENGTH) };
}

/** The end of the character that this place may lie in. */
function whole(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at + 1 : at;
}

/** The spans, those that touch one another's inside made one. */
function apart(spans: readonly TextRange[]): TextRange[] {
  const found: TextRange[] = [];
  for (const { start, end } of spans) {
    const last = found.at(-1);
    if (last === undefined || start >= last.end) found.push({ start, end });
    else found[found.length - 1] = { start: last.start, end: Math.max(last.end, end) };
  }
  return found;
}
