/**
 * A text as its searchable terms, with a space before, between and after them; behind a sign follow the
 * variants of its words.
 *
 * @module
 */
import { lazy } from "../../shared/lazy.ts";
import { overlappingMatches, type Pattern, patternOf, SHORT } from "../../shared/text_search.ts";
import { atOnce } from "../../shared/yield_to_event_loop.ts";
import { foldedLength } from "./fold.ts";
import { findInside } from "./inside.ts";
import { piecesOf } from "./pieces.ts";
import type { Phrase } from "./query.ts";
import { termsOf } from "./terms.ts";
import { takesUmlauts, variantsOf } from "./variants.ts";

/** Separates the words of a text, and each of their variants, so that no phrase reaches across. */
export const GAP = "§";

/** UTF-16 code units of one step: up to ten milliseconds. */
const STEP = 10_000;

/** Returns a text's terms, each between two spaces; empty if it has none. */
export function spaced(text: string): string {
  return atOnce(spacedSteps(text));
}

/** Does the same in steps, because a text may be long. `length` replaces that of a step. */
export function* spacedSteps(text: string, length = STEP): Generator<void, string, void> {
  const isGerman = lazy(() => takesUmlauts(text));
  const terms: string[] = [];
  const ways = new Set<string>();
  const growth = foldedLength(text) / text.length;
  let pieces = 0;
  for (const piece of piecesOf(text, length / growth)) {
    if (pieces++ > 0) yield;
    for (const { term } of termsOf(piece)) terms.push(term);
    for (const way of variantsOf(piece, false, isGerman)) ways.add(way.terms.join(" "));
  }
  if (terms.length === 0) return "";
  const words = ` ${terms.join(" ")} `;
  return ways.size === 0 ? words : `${words}${GAP} ${[...ways].join(` ${GAP} `)} `;
}

/** Returns the terms of a spaced text without its variants. */
export function mainTerms(words: string): string[] {
  const [main = ""] = words.split(GAP, 1);
  return main.trim().split(" ");
}

/** Returns the number of terms of a spaced text, without variants. */
export function lengthOf(words: string): number {
  const gap = words.indexOf(GAP);
  const end = gap < 0 ? words.length : gap;
  let length = -1;
  for (let at = words.indexOf(" "); at >= 0 && at < end; at = words.indexOf(" ", at + 1)) length++;
  return Math.max(0, length);
}

/** Counts the occurrences of a phrase in a spaced text, or in several that something separates. */
export function countOf(words: string, phrase: Phrase): number {
  const count = phrase.isInside === true ? countInside(words, phrase) : countWords(words, phrase);
  if (phrase.or === undefined) return count;
  // Another spelling stands beside the word as a variant; with `accepts` it is another word.
  return phrase.or.reduce((sum, other) => {
    const others = countOf(words, other);
    return other.accepts === undefined ? Math.max(sum, others) : sum + others;
  }, count);
}

/** Returns whether a phrase occurs in a spaced text, or in any of several that something separates. */
export function occursIn(words: string, phrase: Phrase): boolean {
  const isOwn = phrase.isInside === true
    ? findInside(words, phrase).next().done !== true
    : findWords(words, phrase).next().done !== true;
  return isOwn || phrase.or?.some((other) => occursIn(words, other)) === true;
}

function countInside(words: string, phrase: Phrase): number {
  let count = 0;
  for (const _ of findInside(words, phrase)) count++;
  return count;
}

/** Occurrences of a phrase in one text that are counted: more say nothing more about it. */
const MOST_COUNTED = 10_000;

function countWords(words: string, phrase: Phrase): number {
  let count = 0;
  for (const _ of findWords(words, phrase)) {
    if (++count >= MOST_COUNTED) break;
  }
  return count;
}

/**
 * Words of one text that are asked for their form, which takes microseconds each. Ordinary texts have
 * a few with one beginning; more are other words.
 */
const MOST_FORMS = 2_000;

/** Yields where the terms of a phrase begin in a spaced text, as words; they may overlap. */
export function* findWords(words: string, phrase: Phrase): Generator<number> {
  const { written, pattern } = writtenForms.get(phrase) ?? write(phrase);
  const { accepts } = phrase;
  const places = written.length > SHORT
    ? overlappingMatches(pattern(), words)
    : placesOf(words, written);
  let forms = 0;
  for (const start of places) {
    if (words[start - 1] !== " ") continue;
    if (accepts !== undefined && ++forms > MOST_FORMS) return;
    if (accepts === undefined || accepts(lastTerm(words, start + written.length))) yield start;
  }
}

function* placesOf(words: string, written: string): Generator<number> {
  for (let at = words.indexOf(written); at >= 0; at = words.indexOf(written, at + 1)) yield at;
}

/** A phrase without the space before it, at which a search would stop everywhere. */
interface WrittenForm {
  readonly written: string;
  readonly pattern: () => Pattern;
}

// One phrase is looked for in thousands of texts.
const writtenForms = new WeakMap<Phrase, WrittenForm>();

function write(phrase: Phrase): WrittenForm {
  const { terms, isPrefix } = phrase;
  const written = terms.join(" ") + (isPrefix ? "" : " ");
  const form = { written, pattern: lazy(() => patternOf(written)) };
  writtenForms.set(phrase, form);
  return form;
}

/** Returns the whole term that contains this prefix. */
function lastTerm(words: string, end: number): string {
  return words.slice(words.lastIndexOf(" ", end - 1) + 1, words.indexOf(" ", end));
}
