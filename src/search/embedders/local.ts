/**
 * Vectors from the model that was learnt here.
 *
 * @module
 */
import type { Embedder } from "../embedder.ts";
import { createBackgroundRest } from "../../shared/yield_to_event_loop.ts";
import { embed, type Lsa } from "../meaning/lsa.ts";
import type { Vector } from "../vectors/vector.ts";

/** The name of every embedder that was learnt; what each learnt is another's noise. */
export const LOCAL = "local";

/** The embedder of a learnt model. */
export function createLocalEmbedder(lsa: Lsa): Embedder {
  return {
    name: LOCAL,
    embed: async (texts, signal) => {
      const vectors: Vector[] = [];
      const rest = createBackgroundRest();
      for (const text of texts) {
        await rest();
        signal?.throwIfAborted();
        vectors.push(embed(lsa, text));
      }
      return vectors;
    },
  };
}
