/**
 * The terms that a model knows, and how much each says: log-tf × idf.
 *
 * @module
 */
import type { SparseVector } from "./sparse.ts";
import type { TermCounts } from "./terms.ts";

export interface Vocabulary {
  /** Places of the terms, from 0 on. */
  readonly places: ReadonlyMap<string, number>;
  /** By place: the rarer a term, the more it says. */
  readonly weights: Float32Array;
}

/** A term of one text alone ties it to no other. */
const FEWEST_TEXTS = 2;
/** Terms at most: rarer ones are dropped, so that learning takes bounded time and memory. */
const MOST_TERMS = 16_000;

/** The vocabulary of these texts. */
export function learnVocabulary(texts: readonly TermCounts[]): Vocabulary {
  const frequencies = new Map<string, number>();
  for (const counts of texts) {
    for (const term of counts.keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  }
  const kept = [...frequencies].filter(([, texts]) => texts >= FEWEST_TEXTS)
    .sort(([a, inA], [b, inB]) => inB - inA || (a < b ? -1 : 1))
    .slice(0, MOST_TERMS);
  return {
    places: new Map(kept.map(([term], place) => [term, place])),
    weights: Float32Array.from(kept, ([, count]) => Math.log((texts.length + 1) / (count + 0.5))),
  };
}

/** The known terms of a text, weighted, as a vector of length one; empty where none is known. */
export function weigh({ places, weights }: Vocabulary, counts: TermCounts): SparseVector {
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
