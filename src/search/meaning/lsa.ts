/**
 * Latent semantic analysis: a model of which words are used alike, learnt from texts alone. It maps
 * texts to vectors. Texts about the same thing get similar vectors even if they share no word.
 *
 * @module
 */
import { pack, toUnit, type Vector } from "../vectors/vector.ts";
import { mostFrequent } from "./languages.ts";
import { truncatedSvd } from "./svd.ts";
import { read, type ReadText, type TermCounts, termCounts, type TitledText } from "./terms.ts";
import { learnVocabulary, lengthsOf, type Vocabulary, weigh } from "./vocabulary.ts";

export interface Lsa {
  readonly dimensions: number;
  /** The language to assume for texts whose language is not detected. */
  readonly language: string | undefined;
  readonly vocabulary: Vocabulary;
  /** A row for each term: what it adds to each dimension of a text, in units of the term's scale. */
  readonly directions: Int8Array<ArrayBuffer>;
  readonly scales: Float32Array<ArrayBuffer>;
}

/** Values from 160 to 256 gave the best results, on short and long texts. */
const MOST_DIMENSIONS = 192;
/** Texts needed for each dimension. */
const TEXTS_EACH_DIMENSION = 4;

/**
 * Learns a model from 100 to 10,000 texts, which should be a representative sample of the workspace.
 * The same texts in the same order produce the same model.
 */
export function learnLsa(texts: readonly TitledText[]): Lsa {
  const readings = texts.map(read);
  const language = languageOfMost(readings);
  const counts = readings.map((reading) => termCounts(reading, language));
  const vocabulary = learnVocabulary(counts);
  const width = vocabulary.rows.size;
  const rows = counts.map((each) => weigh(vocabulary, each));
  const rank = Math.min(MOST_DIMENSIONS, Math.floor(texts.length / TEXTS_EACH_DIMENSION));
  const vectors = truncatedSvd({ width, rows }, rank).map(({ vector }) => vector);
  return { dimensions: vectors.length, language, vocabulary, ...packTerms(vectors, width) };
}

/** Returns the unit vector of a text, or zero if the model knows none of its words. */
export function embed(lsa: Lsa, text: TitledText): Vector {
  return toUnit(project(lsa, termCounts(read(text), lsa.language)));
}

/**
 * Returns the share of a text that the model's dimensions express, from 0 to 1: the squared length of
 * its projection, where words that the model does not know have a length, too, but no projection.
 */
export function explainedShare(lsa: Lsa, text: TitledText): number {
  const counts = termCounts(read(text), lsa.language);
  const { known, all } = lengthsOf(lsa.vocabulary, counts);
  return all === 0 ? 0 : Math.min(1, (Math.hypot(...project(lsa, counts)) * known / all) ** 2);
}

/** Returns the projection of the unit vector of these terms. */
function project(lsa: Lsa, counts: TermCounts): Vector {
  const { indices, values } = weigh(lsa.vocabulary, counts);
  const vector = new Float32Array(lsa.dimensions);
  indices.forEach((place, at) => {
    const weight = (values[at] ?? 0) * (lsa.scales[place] ?? 0);
    const start = place * lsa.dimensions;
    for (let i = 0; i < lsa.dimensions; i++) {
      vector[i] = (vector[i] ?? 0) + weight * (lsa.directions[start + i] ?? 0);
    }
  });
  return vector;
}

function languageOfMost(readings: readonly ReadText[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { language } of readings) {
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return mostFrequent(counts);
}

/** Quantizes the singular vectors to one byte per entry, with one row per term. */
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
