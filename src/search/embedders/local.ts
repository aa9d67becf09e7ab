/**
 * Embeds texts with a model that was learnt from a workspace.
 *
 * @module
 */
import type { Embedder } from "../embedder.ts";
import { createSlices } from "../slices.ts";
import { embed, type Lsa } from "../meaning/lsa.ts";
import type { Vector } from "../vectors/vector.ts";

/** The name of all learnt embedders. Vectors of different models still cannot be compared. */
export const LOCAL = "local";

/** Creates the embedder of a learnt model. */
export function createLocalEmbedder(lsa: Lsa): Embedder {
  return {
    name: LOCAL,
    embed: async (texts, signal) => {
      const vectors: Vector[] = [];
      const endSlice = createSlices();
      for (const text of texts) {
        await endSlice();
        signal?.throwIfAborted();
        vectors.push(embed(lsa, text));
      }
      return vectors;
    },
  };
}
