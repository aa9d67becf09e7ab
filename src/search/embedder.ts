/**
 * What turns texts into vectors.
 *
 * @module
 */
import type { TitledText } from "./meaning/terms.ts";
import type { Vector } from "./vectors/vector.ts";

export interface Embedder {
  /** Its vectors cannot be compared with those of an embedder of another name. */
  readonly name: string;
  /**
   * The vectors of texts, in their order, equally long and of length one; zero where a text means nothing to it.
   * Rejects where it cannot do it now, whatever the reason.
   */
  embed(texts: readonly TitledText[], signal?: AbortSignal): Promise<Vector[]>;
}
