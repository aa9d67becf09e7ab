/**
 * Chooses the text of a page to show in a search result.
 *
 * @module
 */
import { type Part, segmentsOf } from "../text/parts.ts";
import type { Phrase } from "../text/query.ts";
import { occursIn } from "../text/spaced.ts";

/** A text of a page. */
export interface ShownText {
  /** ID of the block or comment; that of the page if it is one of its properties. */
  readonly id: string;
  /** Its spaced words. */
  readonly words: string;
  /** How many of the phrases it has. */
  readonly count: number;
}

/**
 * Returns the first text with the most different phrases; undefined if only the title has any. Looks for
 * each phrase in steps, because texts may be long.
 */
export function* shownText(
  parts: readonly Part[],
  phrases: readonly Phrase[],
): Generator<void, ShownText | undefined, void> {
  let best: ShownText | undefined;
  for (const { body } of parts) {
    if (!(yield* hasAny(body, phrases))) continue;
    for (const { id, words } of segmentsOf(body)) {
      const count = yield* countPhrases(words, phrases);
      if (count > (best?.count ?? 0)) best = { id, words, count };
    }
  }
  return best;
}

function* hasAny(words: string, phrases: readonly Phrase[]): Generator<void, boolean, void> {
  for (const phrase of phrases) {
    if (occursIn(words, phrase)) return true;
    yield;
  }
  return false;
}

/** Returns how many of the phrases a spaced text has, in steps. */
export function* countPhrases(
  words: string,
  phrases: readonly Phrase[],
): Generator<void, number, void> {
  let count = 0;
  for (const phrase of phrases) {
    if (occursIn(words, phrase)) count++;
    yield;
  }
  return count;
}
