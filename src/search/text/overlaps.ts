/**
 * Pairs of neighbouring characters of scripts without spaces. The words of such a text are a guess of
 * the segmenter; by the pairs, every stretch of characters is found, wherever words were divided.
 *
 * @module
 */
import { atOnce } from "../../shared/yield_to_event_loop.ts";
import { isUnspaced } from "./segment.ts";

/** Terms of a step. */
const STEP = 2_000;

/**
 * Returns what an index has beside the words of spaced texts, each once: pairs that are no words, and
 * characters with which no word begins. An index that also finds pairs by their beginnings needs only
 * the last character of each run.
 */
export function overlapsOf(texts: readonly string[], characters: "all" | "last"): string[] {
  return atOnce(overlapSteps(texts, characters));
}

/** Does the same in steps, because the texts may be long. */
export function* overlapSteps(
  texts: readonly string[],
  characters: "all" | "last",
): Generator<undefined, string[], void> {
  // Between two texts stands an empty term, so that no run reaches across.
  const terms = texts.filter(isUnspaced).flatMap((words) => [...words.trim().split(" "), ""]);
  yield undefined;
  const words = new Set(terms);
  yield undefined;
  const beginnings = new Set<string>();
  for (const [first = ""] of terms) beginnings.add(first);
  const overlaps = new Set<string>();
  const addOwn = (character: string) => {
    if (character !== "" && !beginnings.has(character)) overlaps.add(character);
  };
  let last = "";
  for (const [index, term] of terms.entries()) {
    if (index % STEP === 0) yield undefined;
    if (!isUnspaced(term)) {
      if (characters === "last") addOwn(last);
      last = "";
      continue;
    }
    for (const character of term) {
      const pair = last + character;
      if (last !== "" && !words.has(pair)) overlaps.add(pair);
      if (characters === "all") addOwn(character);
      last = character;
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
