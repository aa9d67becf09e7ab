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
/** The weight of a term in one text, minus that of a term in two. */
const ONE_TEXT_LESS = Math.log(2.5 / 1.5);
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

/**
 * Returns the weighted terms of a text as a unit vector; empty if the vocabulary has none of them.
 */
export function weigh(vocabulary: Vocabulary, counts: TermCounts): SparseVector {
  const indices: number[] = [];
  const values: number[] = [];
  for (const [term, count] of counts) {
    const place = vocabulary.rows.get(term);
    if (place === undefined) continue;
    indices.push(place);
    values.push(weightOf(count, vocabulary.weights[place]));
  }
  const length = Math.hypot(...values);
  return {
    indices: Uint32Array.from(indices),
    values: Float32Array.from(values, (value) => value / length),
  };
}

/** Returns the lengths of the weighted terms: those that are known, and all. */
export function lengthsOf(
  { rows, weights }: Vocabulary,
  counts: TermCounts,
): { readonly known: number; readonly all: number } {
  // Terms are ordered by how common they are, so that the last one has the highest weight. Words
  // that are not there occur in one text at most.
  const rarest = (weights.at(-1) ?? 0) + ONE_TEXT_LESS;
  let known = 0;
  let unknown = 0;
  for (const [term, count] of counts) {
    const row = rows.get(term);
    if (row === undefined) unknown += weightOf(count, rarest) ** 2;
    else known += weightOf(count, weights[row]) ** 2;
  }
  return { known: Math.sqrt(known), all: Math.sqrt(known + unknown) };
}

function weightOf(count: number, weight = 0): number {
  return (1 + Math.log(count)) * weight;
}
