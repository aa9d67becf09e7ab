/**
 * Vectors from a service that speaks OpenAI's `/v1/embeddings`.
 *
 * @module
 */
import * as v from "valibot";
import { type Embedder, TextsRefused } from "../embedder.ts";
import type { TitledText } from "../meaning/terms.ts";
import { toUnit, type Vector } from "../vectors/vector.ts";
import { type PersistOptions, postPersistently, Refusal } from "./post.ts";

export interface OpenAiOptions extends PersistOptions {
  /** What `/embeddings` is put behind: `https://api.openai.com/v1`. */
  readonly url: string;
  readonly model: string;
  /** Left out where the service asks for none. */
  readonly key?: string;
  /** Left out: as many as the model has. */
  readonly dimensions?: number;
}

/** Texts of one request. */
const BATCH = 32;
/** Says that it is what was asked: not understood, too long, or not to be worked on. */
const REFUSES_TEXTS = new Set([400, 413, 422]);

const answer = v.object({
  data: v.array(v.object({
    index: v.pipe(v.number(), v.integer(), v.minValue(0)),
    embedding: v.pipe(v.array(v.pipe(v.number(), v.finite())), v.minLength(1)),
  })),
});

/** The embedder of one model of a service; requests are made one after the other. */
export function createOpenAiEmbedder(options: OpenAiOptions): Embedder {
  const { url, model, key, dimensions } = options;
  const endpoint = `${url.replace(/\/+$/, "")}/embeddings`;
  const headers = {
    "content-type": "application/json",
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };

  async function embedBatch(
    texts: readonly TitledText[],
    signal: AbortSignal | undefined,
  ): Promise<Vector[]> {
    const body = JSON.stringify({
      model,
      input: texts.map(inputOf),
      encoding_format: "float",
      ...(dimensions !== undefined && { dimensions }),
    });
    const init = { headers, body, ...(signal && { signal }) };
    const answered = await postPersistently(endpoint, init, options).catch(throwRefusal);
    return toVectors(answered, texts.length);
  }

  return {
    name: `openai ${model} ${dimensions ?? "whole"}`,
    embed: async (texts, signal) => {
      const vectors: Vector[] = [];
      for (let at = 0; at < texts.length; at += BATCH) {
        vectors.push(...await embedBatch(texts.slice(at, at + BATCH), signal));
      }
      checkLengths(vectors, dimensions);
      return vectors;
    },
  };
}

function inputOf({ title, text }: TitledText): string {
  return [title, text].filter((part) => part !== "").join("\n\n");
}

/** The same failure, by its name where it is the texts. */
function throwRefusal(error: unknown): never {
  if (!(error instanceof Refusal) || !REFUSES_TEXTS.has(error.status)) throw error;
  throw new TextsRefused(error.message, { cause: error });
}

/** The vectors by their index, which must name each text once. */
function toVectors(body: unknown, count: number): Vector[] {
  const parsed = v.safeParse(answer, body);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new Error(`The embeddings are not as they should be: ${issue.message}`);
  }
  const byIndex = new Map(parsed.output.data.map((one) => [one.index, one.embedding]));
  return Array.from({ length: count }, (_, index) => {
    const embedding = byIndex.get(index);
    if (embedding === undefined) throw new Error(`The embeddings lack that of text ${index}`);
    return toUnit(Float32Array.from(embedding));
  });
}

function checkLengths(vectors: readonly Vector[], dimensions: number | undefined): void {
  const expected = dimensions ?? vectors[0]?.length;
  const wrong = vectors.find(({ length }) => length !== expected);
  if (wrong === undefined) return;
  throw new Error(`The embeddings should have ${expected} dimensions: ${wrong.length}`);
}
