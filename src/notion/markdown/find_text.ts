/**
 * Finds a text in a longer one, with pauses.
 *
 * @module
 */
import { matchSteps, patternSteps } from "../../shared/text_search.ts";
import { type Rest, withRests } from "../../shared/yield_to_event_loop.ts";

export interface TextFinder {
  /** Returns the index of the first match at or after `from`, or -1, as `indexOf()` does. */
  first(text: string, from?: number): Promise<number>;
  /** Calls `onMatch` with the index of each match; they do not overlap, as in `replaceAll()`. */
  each(text: string, onMatch: (start: number) => void): Promise<void>;
}

/** Prepares to find `wanted`; `each()` finds nothing if it is empty. */
export async function createTextFinder(wanted: string, rest: Rest): Promise<TextFinder> {
  const pattern = await withRests(patternSteps(wanted), rest);
  return {
    first: async (text, from = 0) => {
      if (wanted === "") return Math.min(from, text.length);
      for (const start of matchSteps(pattern, text, from)) {
        if (start !== undefined) return start;
        await rest();
      }
      return -1;
    },
    each: async (text, onMatch) => {
      for (const start of matchSteps(pattern, text)) {
        if (start === undefined) await rest();
        else onMatch(start);
      }
    },
  };
}
