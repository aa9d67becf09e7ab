/**
 * What turns texts into vectors.
 *
 * @module
 */
import type { TitledText } from "./meaning/terms.ts";
import type { Vector } from "./vectors/vector.ts";

export interface Embedder {
  /** Vectors of one space can be compared and are equally long, those of two cannot. */
  readonly space: string;
  /**
   * The vectors of texts, in their order and of length one; zero where a text means nothing to it.
   * Rejects where it cannot do it now, whatever the reason.
   */
  embed(texts: readonly TitledText[], signal?: AbortSignal): Promise<Vector[]>;
}
