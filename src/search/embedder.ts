/**
 * The interface of embedders, which turn texts into vectors.
 *
 * @module
 */
import type { TitledText } from "./meaning/terms.ts";
import type { Vector } from "./vectors/vector.ts";

/** The name of all learnt embedders. Vectors of different models still cannot be compared. */
export const LOCAL = "local";

/** The embedder permanently rejects some of the texts. */
export class TextsRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "TextsRefused";
  }
}

export interface Embedder {
  /** Vectors of embedders with different names cannot be compared. */
  readonly name: string;
  /**
   * Returns a unit vector for each text, in order, all with the same number of dimensions. A text
   * without known terms gets a zero vector. Rejects with `TextsRefused` if the texts are unacceptable,
   * and with any other error if the embedder fails temporarily.
   */
  embed(texts: readonly TitledText[], signal?: AbortSignal): Promise<Vector[]>;
  /**
   * Returns the unit vector of a question, as `embed` does. Absent if questions are embedded like other
   * texts.
   */
  embedQuestion?(question: string, signal?: AbortSignal): Promise<Vector>;
  /**
   * Returns how much of a question the vectors can express, from 0 to 1: little of names and of rare
   * words. Absent if the embedder cannot tell.
   */
  explained?(question: string): number;
}
