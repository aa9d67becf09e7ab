/**
 * The service that turns texts into vectors.
 *
 * @module
 */
import type { Settings } from "./variables.ts";

/** A service with OpenAI's `/v1/embeddings` API. */
export interface EmbeddingsConfig {
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
  /** Undefined: the dimensions of the model. */
  readonly dimensions: number | undefined;
  /** Written before questions, and before all other texts. */
  readonly questionPrefix: string | undefined;
  readonly documentPrefix: string | undefined;
}

/** Reads these settings, and adds what is wrong with them to `issues`. */
export function embeddingsOf(settings: Settings, issues: string[]): EmbeddingsConfig | undefined {
  const isService = settings.RECTO_EMBEDDER === "openai";
  const url = settings.RECTO_EMBEDDINGS_URL;
  const model = settings.RECTO_EMBEDDINGS_MODEL;
  const key = settings.RECTO_EMBEDDINGS_KEY;
  const dimensions = settings.RECTO_EMBEDDINGS_DIMENSIONS;
  const questionPrefix = settings.RECTO_QUESTION_PREFIX;
  const documentPrefix = settings.RECTO_DOCUMENT_PREFIX;
  if (!isService) {
    if (url ?? model ?? key ?? dimensions ?? questionPrefix ?? documentPrefix) {
      issues.push("RECTO_EMBEDDER must be openai if RECTO_EMBEDDINGS_… are set");
    }
    return undefined;
  }
  if (url === undefined || model === undefined) {
    issues.push(
      "RECTO_EMBEDDINGS_URL and RECTO_EMBEDDINGS_MODEL must be set with RECTO_EMBEDDER=openai",
    );
    return undefined;
  }
  return { url, model, key, dimensions, questionPrefix, documentPrefix };
}
