/**
 * The terms of a model and their weights (log-tf × idf).
 *
 * @module
 */
import type { SparseVector } from "./sparse.ts";
import type { TermCounts } from "./terms.ts";

export interface Vocabulary {
  /** The row of each term, from 0. */
  readonly rows: ReadonlyMap<string, number>;
  /** The weight of each term by row: rare terms weigh more. */
  readonly weights: Float32Array;
}

/** A term that occurs in only one text relates it to no other. */
const FEWEST_TEXTS = 2;
/** Upper limit that bounds the time and memory of learning; the rarest terms are dropped. */
const MOST_TERMS = 16_000;

/** Learns the vocabulary of these texts. */
export function learnVocabulary(texts: readonly TermCounts[]): Vocabulary {
  const frequencies = new Map<string, number>();
  for (const counts of texts) {
    for (const term of counts.keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  }
  const selected = [...frequencies].filter(([, texts]) => texts >= FEWEST_TEXTS)
    .sort(([a, inA], [b, inB]) => inB - inA || (a < b ? -1 : 1))
    .slice(0, MOST_TERMS);
  return {
    rows: new Map(selected.map(([term], row) => [term, row])),
    weights: Float32Array.from(
      selected,
      ([, count]) => Math.log((texts.length + 1) / (count + 0.5)),
    ),
  };
}

/** Returns the weighted terms of a text as a unit vector; empty if the vocabulary has none of them. */
export function weigh({ rows: places, weights }: Vocabulary, counts: TermCounts): SparseVector {
  const indices: number[] = [];
  const values: number[] = [];
  for (const [term, count] of counts) {
    const place = places.get(term);
    if (place === undefined) continue;
    indices.push(place);
    values.push((1 + Math.log(count)) * (weights[place] ?? 0));
  }
  const length = Math.hypot(...values);
  return {
    indices: Uint32Array.from(indices),
    values: Float32Array.from(values, (value) => value / length),
  };
}
