/**
 * Embeds texts with a model that was learnt from a workspace.
 *
 * @module
 */
import { type Embedder, LOCAL } from "../embedder.ts";
import { createBackgroundRest } from "../../shared/yield_to_event_loop.ts";
import { embed, explainedShare, type Lsa } from "../meaning/lsa.ts";
import type { Vector } from "../vectors/vector.ts";

/** Creates the embedder of a learnt model. */
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
    explained: (question) => explainedShare(lsa, { title: "", text: question }),
  };
}
