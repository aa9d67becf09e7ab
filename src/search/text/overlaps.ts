/**
 * Pairs of neighbouring characters of scripts without spaces. The words of such a text are a guess of
 * the segmenter; by the pairs, every stretch of characters is found, wherever words were divided.
 *
 * @module
 */
import { isUnspaced } from "./segment.ts";

/**
 * Returns what the index has beside the words of a spaced text, each once: all pairs that are no words,
 * and the last character of each run, with which no pair begins.
 */
export function overlapsOf(words: string): string[] {
  if (!isUnspaced(words)) return [];
  const terms = words.trim().split(" ");
  const known = new Set(terms);
  const overlaps = new Set<string>();
  for (const run of runsOf(terms)) {
    for (const pair of pairsOf(run)) overlaps.add(pair);
    overlaps.add([...run].at(-1) ?? "");
  }
  return [...overlaps].filter((one) => !known.has(one));
}

/** Returns the pairs of neighbouring characters of a run, in order; none of a single character. */
export function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Joins neighbouring terms of scripts without spaces; leaves out the others. */
export function runsOf(terms: readonly string[]): string[] {
  const runs: string[] = [];
  let open = "";
  for (const term of [...terms, ""]) {
    if (term !== "" && isUnspaced(term)) {
      open += term;
    } else {
      if (open !== "") runs.push(open);
      open = "";
    }
  }
  return runs;
}

/** Returns a spaced text with its overlaps behind it, as an index takes it. */
export function withOverlaps(words: string): string {
  const overlaps = overlapsOf(words);
  return overlaps.length === 0 ? words : `${words}§ ${overlaps.join(" ")} `;
}
