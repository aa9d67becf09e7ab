/**
 * What turns texts into vectors.
 *
 * @module
 */
import type { Reader } from "./reader.ts";

/** A service that speaks OpenAI's `/v1/embeddings`. */
export interface EmbeddingsConfig {
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
  /** Undefined: as many as the model has. */
  readonly dimensions: number | undefined;
}

const BASE_URL = {
  pattern: /^https?:\/\/[^\s?#]+$/,
  form: "a URL such as https://api.openai.com/v1",
};
const DIMENSIONS = { pattern: /^[1-9]\d{0,3}$/, form: "a number from 1 to 9999" };
/** Reads it; tells what is wrong with it. */
export function embeddingsOf(read: Reader, issues: string[]): EmbeddingsConfig | undefined {
  const isService = read.oneOf("EMBEDDER", ["local", "openai"]) === "openai";
  const url = read.matching("EMBEDDINGS_URL", BASE_URL, (text) => text);
  const model = read.text("EMBEDDINGS_MODEL");
  const key = read.text("EMBEDDINGS_KEY");
  const dimensions = read.matching("EMBEDDINGS_DIMENSIONS", DIMENSIONS, Number);
  if (!isService) {
    if (url ?? model ?? key ?? dimensions) {
      issues.push("EMBEDDER must be openai where EMBEDDINGS_… are set");
    }
    return undefined;
  }
  if (url === undefined || model === undefined) {
    issues.push("EMBEDDINGS_URL and EMBEDDINGS_MODEL must be set with EMBEDDER=openai");
    return undefined;
  }
  return { url, model, key, dimensions };
}
