/**
 * Vectors from the model that was learnt here.
 *
 * @module
 */
import type { Embedder } from "../embedder.ts";
import { embed, type Lsa } from "../meaning/lsa.ts";
import type { Vector } from "../vectors/vector.ts";

/** Texts until others get their turn in this thread: some milliseconds. */
const TURN = 8;

/** The name of every embedder that was learnt; what each learnt is another's noise. */
export const LOCAL = "local";

/** The embedder of a learnt model. */
export function createLocalEmbedder(lsa: Lsa): Embedder {
  return {
    name: LOCAL,
    embed: async (texts, signal) => {
      const vectors: Vector[] = [];
      for (const [index, text] of texts.entries()) {
        if (index > 0 && index % TURN === 0) await nextTurn();
        signal?.throwIfAborted();
        vectors.push(embed(lsa, text));
      }
      return vectors;
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
