/**
 * Which text of a page shows best why it was found.
 *
 * @module
 */
import { type Part, segmentsOf } from "../text/parts.ts";
import type { Phrase } from "../text/query.ts";
import { countOf } from "../text/spaced.ts";

/**
 * Id of the block with the most different phrases, the first of equals; that of the page where its
 * properties have them. Undefined where the title alone has any.
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
