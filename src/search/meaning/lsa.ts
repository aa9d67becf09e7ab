/**
 * Latent semantic analysis: a model of which words are used alike, learnt from texts alone. A text
 * becomes a vector; texts about the same thing lie close together though they share no word.
 *
 * @module
 */
import { pack, toUnit, type Vector } from "../vectors/vector.ts";
import { mostFrequent } from "./languages.ts";
import { truncatedSvd } from "./svd.ts";
import { read, type ReadText, termCounts, type TitledText } from "./terms.ts";
import { learnVocabulary, type Vocabulary, weigh } from "./vocabulary.ts";

export interface Lsa {
  readonly dimensions: number;
  /** Of texts that show no language themselves; undefined where most learnt from showed none. */
  readonly language: string | undefined;
  readonly vocabulary: Vocabulary;
  /** Of each term by its place: what a text that has it gains in each dimension, in units of `scale`. */
  readonly directions: Int8Array<ArrayBuffer>;
  readonly scales: Float32Array<ArrayBuffer>;
}

/** Fewer texts say too little of how words are used. */
export const FEWEST_TEXTS = 100;
/** Texts beyond these teach little more; learning takes time and memory in proportion. */
export const MOST_TEXTS = 10_000;
/** Measured best on short and long texts alike between 160 and 256. */
const MOST_DIMENSIONS = 192;
/** So few texts are no evidence for more dimensions. */
const TEXTS_EACH_DIMENSION = 4;

/**
 * A model of these texts, which are a fair sample of the workspace: between 100 and 10,000. The same
 * texts in the same order give the same model.
 */
export function learnLsa(texts: readonly TitledText[]): Lsa {
  const readings = texts.map(read);
  const language = languageOfMost(readings);
  const counts = readings.map((reading) => termCounts(reading, language));
  const vocabulary = learnVocabulary(counts);
  const width = vocabulary.places.size;
  const rows = counts.map((each) => weigh(vocabulary, each));
  const rank = Math.min(MOST_DIMENSIONS, Math.floor(texts.length / TEXTS_EACH_DIMENSION));
  const vectors = truncatedSvd({ width, rows }, rank).map(({ vector }) => vector);
  return { dimensions: vectors.length, language, vocabulary, ...packTerms(vectors, width) };
}

/** The vector of a text; zero where it has no word that the model knows. */
export function embed(lsa: Lsa, text: TitledText): Vector {
  const { indices, values } = weigh(lsa.vocabulary, termCounts(read(text), lsa.language));
  const vector = new Float32Array(lsa.dimensions);
  indices.forEach((place, at) => {
    const weight = (values[at] ?? 0) * (lsa.scales[place] ?? 0);
    const start = place * lsa.dimensions;
    for (let i = 0; i < lsa.dimensions; i++) {
      vector[i] = (vector[i] ?? 0) + weight * (lsa.directions[start + i] ?? 0);
    }
  });
  return toUnit(vector);
}

function languageOfMost(readings: readonly ReadText[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { language } of readings) {
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return mostFrequent(counts);
}

/** The rows of the singular vectors, a row for each term, in one byte for each entry. */
function packTerms(
  vectors: readonly Float64Array[],
  terms: number,
): Pick<Lsa, "directions" | "scales"> {
  const directions = new Int8Array(terms * vectors.length);
  const scales = new Float32Array(terms);
  for (let term = 0; term < terms; term++) {
    const row = Float32Array.from(vectors, (vector) => vector[term] ?? 0);
    directions.set(pack(row), term * vectors.length);
    scales[term] = row.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0) / 127;
  }
  return { directions, scales };
}
