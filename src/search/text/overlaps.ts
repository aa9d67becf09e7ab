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
  const unspaced = texts.filter(isUnspaced);
  const words = new Set<string>();
  const beginnings = new Set<string>();
  let looked = 0;
  for (const term of termsOf(unspaced)) {
    if (looked++ % STEP === 0) yield undefined;
    const [first = ""] = term;
    words.add(term);
    beginnings.add(first);
  }
  const overlaps = new Set<string>();
  const addOwn = (character: string) => {
    if (character !== "" && !beginnings.has(character)) overlaps.add(character);
  };
  let last = "";
  for (const term of termsOf(unspaced)) {
    if (looked++ % STEP === 0) yield undefined;
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

/** Yields the terms of spaced texts, and an empty one behind each text, so that no run reaches across. */
function* termsOf(texts: readonly string[]): Generator<string> {
  for (const words of texts) {
    for (let start = 1; start < words.length;) {
      const end = words.indexOf(" ", start);
      yield words.slice(start, end);
      start = end + 1;
    }
    yield "";
  }
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
