/**
 * Scores pages for keyword search by BM25 (Robertson and Walker, 1994); the title counts several
 * times.
 *
 * @module
 */
import type { Part } from "../text/parts.ts";
import type { Phrase } from "../text/query.ts";
import { countOf } from "../text/spaced.ts";

/** Statistics of all parts. */
export interface PartStatistics {
  readonly parts: number;
  /** Number of terms of all parts. */
  readonly length: number;
  /** Number of parts with each phrase. */
  readonly counts: readonly number[];
}

/** A part and its number of terms. */
export interface MeasuredPart extends Part {
  readonly length: number;
}

/** The parameters k₁, term frequency saturation, and b, length normalization. */
const SATURATION = 1.6;
const LENGTH_WEIGHT = 0.4;
/** Occurrences that one in the title counts for. */
const TITLE_WEIGHT = 3;

/** Terms of a part in which each phrase is counted in a step of its own. */
const LONG = 500;

/** The weight of an occurrence inside other words. */
const INSIDE_WEIGHT = 0.5;

/** Counts a phrase in a spaced text: whole words, and those inside others for less. */
function weightIn(words: string, phrase: Phrase): number {
  const count = countOf(words, phrase);
  if (phrase.isInside !== true || count === 0) return count;
  const { terms, isPrefix } = phrase;
  return INSIDE_WEIGHT * count + (1 - INSIDE_WEIGHT) * countOf(words, { terms, isPrefix });
}

/** Scores a part in steps, because its text may be long. */
export type Score = (part: MeasuredPart) => Generator<void, number, void>;

/** Creates a function that scores parts for these phrases; 0 if none occurs. */
export function createScore(
  phrases: readonly Phrase[],
  { parts, length, counts }: PartStatistics,
): Score {
  const average = Math.max(1, length / Math.max(1, parts));
  const weights = counts.map((count, index) =>
    (phrases[index]?.times ?? 1) * Math.log(1 + (parts - count + 0.5) / (count + 0.5))
  );
  return function* (part) {
    const norm = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * part.length / average);
    let score = 0;
    for (const [index, phrase] of phrases.entries()) {
      const times = TITLE_WEIGHT * weightIn(part.title, phrase) + weightIn(part.body, phrase);
      score += (weights[index] ?? 0) * times * (SATURATION + 1) / (times + norm);
      if (part.length > LONG) yield;
    }
    return score;
  };
}
