/**
 * Pairs of neighbouring characters of scripts without spaces. The words of such a text are a guess of
 * the segmenter; by the pairs, every stretch of characters is found, wherever words were divided.
 *
 * @module
 */
import { isUnspaced } from "./segment.ts";

/**
 * Returns what an index has beside the words of spaced texts, each once: pairs that are no words, and
 * characters with which no word begins. An index that also finds pairs by their beginnings needs only
 * the last character of each run.
 */
export function overlapsOf(texts: readonly string[], characters: "all" | "last"): string[] {
  // Between two texts stands an empty term, so that no run reaches across.
  const terms = texts.filter(isUnspaced).flatMap((words) => [...words.trim().split(" "), ""]);
  const words = new Set(terms);
  const beginnings = new Set(terms.map(([first]) => first));
  const overlaps = new Set<string>();
  for (const run of runsOf(terms)) {
    for (const pair of pairsOf(run)) if (!words.has(pair)) overlaps.add(pair);
    for (const character of characters === "all" ? run : [...run].slice(-1)) {
      if (!beginnings.has(character)) overlaps.add(character);
    }
  }
  return [...overlaps];
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
