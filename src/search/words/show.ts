/**
 * Chooses the block of a page whose text to show in a search result.
 *
 * @module
 */
import { type Part, segmentsOf } from "../text/parts.ts";
import type { Phrase } from "../text/query.ts";
import { countOf } from "../text/spaced.ts";

/**
 * Returns the ID of the first block with the most different phrases; it is the page's ID if they are
 * in its properties. Undefined if only the title contains any.
 */
export function shownId(parts: readonly Part[], phrases: readonly Phrase[]): string | undefined {
  let best: { readonly id: string; readonly count: number } | undefined;
  for (const { body } of parts) {
    if (!phrases.some((phrase) => countOf(body, phrase) > 0)) continue;
    for (const { id, words } of segmentsOf(body)) {
      const count = phrases.filter((phrase) => countOf(words, phrase) > 0).length;
      if (count > (best?.count ?? 0)) best = { id, count };
    }
  }
  return best?.id;
}
