/**
 * What turns texts into vectors.
 *
 * @module
 */
import type { Settings } from "./variables.ts";

/** A service that speaks OpenAI's `/v1/embeddings`. */
export interface EmbeddingsConfig {
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
  /** Undefined: as many as the model has. */
  readonly dimensions: number | undefined;
}

/** Reads it; tells what is wrong with it. */
export function embeddingsOf(settings: Settings, issues: string[]): EmbeddingsConfig | undefined {
  const isService = settings.RECTO_EMBEDDER === "openai";
  const url = settings.RECTO_EMBEDDINGS_URL;
  const model = settings.RECTO_EMBEDDINGS_MODEL;
  const key = settings.RECTO_EMBEDDINGS_KEY;
  const dimensions = settings.RECTO_EMBEDDINGS_DIMENSIONS;
  if (!isService) {
    if (url ?? model ?? key ?? dimensions) {
      issues.push("RECTO_EMBEDDER must be openai where RECTO_EMBEDDINGS_… are set");
    }
    return undefined;
  }
  if (url === undefined || model === undefined) {
    issues.push(
      "RECTO_EMBEDDINGS_URL and RECTO_EMBEDDINGS_MODEL must be set with RECTO_EMBEDDER=openai",
    );
    return undefined;
  }
  return { url, model, key, dimensions };
}
