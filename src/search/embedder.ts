/**
 * What turns texts into vectors.
 *
 * @module
 */
import type { TitledText } from "./meaning/terms.ts";
import type { Vector } from "./vectors/vector.ts";

/** Some of the texts are refused, and would be again. */
export class TextsRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "TextsRefused";
  }
}

export interface Embedder {
  /** Its vectors cannot be compared with those of an embedder of another name. */
  readonly name: string;
  /**
   * The vectors of texts, in their order, equally long and of length one; zero where a text means nothing to it.
   * Rejects with `TextsRefused` where it will not take these texts, and otherwise where it cannot do it now.
   */
  embed(texts: readonly TitledText[], signal?: AbortSignal): Promise<Vector[]>;
}
