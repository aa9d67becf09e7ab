/**
 * Finds a text in a longer one, with pauses.
 *
 * The time grows with the length of both (Knuth, Morris and Pratt). That of `indexOf()` grows with
 * their product if both repeat themselves, so that one call may take minutes.
 *
 * @module
 */
import type { Rest } from "../../shared/yield_to_event_loop.ts";

/** UTF-16 code units that are compared between two looks at the clock. */
const SLICE = 16_384;

export interface TextFinder {
  /** Returns the index of the first match at or after `from`, or -1, as `indexOf()` does. */
  first(text: string, from?: number): Promise<number>;
  /** Calls `onMatch` with the index of each match; they do not overlap, as in `replaceAll()`. */
  each(text: string, onMatch: (start: number) => void): Promise<void>;
}

/** Prepares to find `wanted`; `each()` finds nothing if it is empty. */
export async function createTextFinder(wanted: string, rest: Rest): Promise<TextFinder> {
  const pattern = { wanted, borders: await bordersOf(wanted, rest), rest };
  return {
    first: async (text, from = 0) => {
      if (wanted === "") return Math.min(from, text.length);
      let found = -1;
      await scan(pattern, { text, from }, (start) => {
        found = start;
        return "stop";
      });
      return found;
    },
    each: (text, onMatch) =>
      scan(pattern, { text, from: 0 }, (start) => {
        onMatch(start);
        return "continue";
      }),
  };
}

interface Pattern {
  readonly wanted: string;
  /** The lengths of the longest border of each prefix: what both begins and ends it. */
  readonly borders: Int32Array;
  readonly rest: Rest;
}

async function bordersOf(wanted: string, rest: Rest): Promise<Int32Array> {
  const borders = new Int32Array(wanted.length);
  let matched = 0;
  for (let at = 1; at < wanted.length;) {
    const end = Math.min(wanted.length, at + SLICE);
    for (; at < end; at++) {
      matched = extend({ wanted, borders }, matched, wanted.charCodeAt(at));
      borders[at] = matched;
    }
    await rest();
  }
  return borders;
}

/** Calls `onMatch` with the start of each match from `from` on, until it says to stop. */
async function scan(
  { rest, ...pattern }: Pattern,
  { text, from }: { readonly text: string; readonly from: number },
  onMatch: (start: number) => "stop" | "continue",
): Promise<void> {
  const { length } = pattern.wanted;
  let matched = 0;
  for (let at = from; at < text.length;) {
    const end = Math.min(text.length, at + SLICE);
    for (; at < end; at++) {
      matched = extend(pattern, matched, text.charCodeAt(at));
      if (matched < length) continue;
      if (onMatch(at + 1 - length) === "stop") return;
      matched = 0;
    }
    await rest();
  }
}

/** Returns how much of the text is matched after one more code unit. */
function extend(
  { wanted, borders }: Pick<Pattern, "wanted" | "borders">,
  matched: number,
  code: number,
): number {
  let length = matched;
  while (length > 0 && wanted.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
  return wanted.charCodeAt(length) === code ? length + 1 : length;
}
