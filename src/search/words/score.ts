/**
 * How well a page fits the words that were asked for: BM25 (Robertson and Walker, 1994), the title
 * counted several times.
 *
 * @module
 */
import type { Part } from "../text/parts.ts";
import type { Phrase } from "../text/query.ts";
import { countOf } from "../text/spaced.ts";

/** What a part is compared with: how common words are among all parts. */
export interface Commonness {
  readonly parts: number;
  /** Terms of all parts. */
  readonly length: number;
  /** Parts with each phrase. */
  readonly counts: readonly number[];
}

/** A part and how many terms it has. */
export interface MeasuredPart extends Part {
  readonly length: number;
}

/** How much a second occurrence adds to the first, and how much length is held against a part. */
const SATURATION = 2;
const LENGTH_WEIGHT = 0.75;
/** Occurrences that one in the title stands for. */
const TITLE_WEIGHT = 3;

/** Scores parts for some phrases; more is better, 0 where none occurs. */
export function createScore(
  phrases: readonly Phrase[],
  { parts, length, counts }: Commonness,
): (part: MeasuredPart) => number {
  const average = Math.max(1, length / Math.max(1, parts));
  const weights = counts.map((count) => Math.log(1 + (parts - count + 0.5) / (count + 0.5)));
  return (part) => {
    const norm = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * part.length / average);
    return phrases.reduce((score, phrase, index) => {
      const times = TITLE_WEIGHT * countOf(part.title, phrase) + countOf(part.body, phrase);
      return score + (weights[index] ?? 0) * times * (SATURATION + 1) / (times + norm);
    }, 0);
  };
}
