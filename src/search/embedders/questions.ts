/**
 * Embeds questions with a service: keeps the vectors of the last ones, and leaves a service that fails
 * alone for a while, so that it costs one time-out and not one for each question.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import type { Embedder } from "../embedder.ts";
import type { Vector } from "../vectors/vector.ts";

/** Vectors in memory, 6 MB with 1,536 dimensions. */
const MOST_QUESTIONS = 1_000;
/** Milliseconds for which a service is left alone after a failure; twice as long after each further one. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

/** The service failed recently and is not asked. */
export class ServicePaused extends Error {
  constructor() {
    super("The embeddings service failed and is left alone for a while");
    this.name = "ServicePaused";
  }
}

/** Wraps an embedder; `now` returns milliseconds that never go back. */
export function withQuestions(embedder: Embedder, now: () => number): Embedder {
  const vectors = new LRUCache<string, Vector>({ max: MOST_QUESTIONS });
  let pause = 0;
  let pausedUntil = -Infinity;

  function recover(): void {
    pause = 0;
    pausedUntil = -Infinity;
  }

  async function ask(question: string, signal: AbortSignal | undefined): Promise<Vector> {
    if (now() < pausedUntil) throw new ServicePaused();
    // While one question tries a service that failed, others do not wait for it.
    if (pause > 0) pausedUntil = now() + pause;
    try {
      const vector = await embedOne(embedder, question, signal);
      recover();
      return vector;
    } catch (error) {
      pause = Math.min(LONGEST_PAUSE, Math.max(FIRST_PAUSE, 2 * pause));
      pausedUntil = now() + pause;
      throw error;
    }
  }

  return {
    ...embedder,
    async embed(texts, signal) {
      const found = await embedder.embed(texts, signal);
      recover();
      return found;
    },
    async embedQuestion(question, signal) {
      const known = vectors.get(question);
      if (known !== undefined) return known;
      const vector = await ask(question, signal);
      vectors.set(question, vector);
      return vector;
    },
  };
}

async function embedOne(
  embedder: Embedder,
  question: string,
  signal: AbortSignal | undefined,
): Promise<Vector> {
  if (embedder.embedQuestion !== undefined) return await embedder.embedQuestion(question, signal);
  const [vector] = await embedder.embed([{ title: "", text: question }], signal);
  if (vector === undefined) throw new Error("The embedder returned no vector");
  return vector;
}
