/**
 * Embeds texts with a service that implements OpenAI's `/v1/embeddings`.
 *
 * @module
 */
import * as v from "valibot";
import { type Embedder, TextsRefused } from "../embedder.ts";
import type { TitledText } from "../meaning/terms.ts";
import { createBackgroundRest } from "../../shared/yield_to_event_loop.ts";
import { toUnit, type Vector } from "../vectors/vector.ts";
import { postWithRetries, type RetryOptions, StatusError } from "./post.ts";

export interface OpenAiOptions extends RetryOptions {
  /** Base URL of the API, such as `https://api.openai.com/v1`. */
  readonly url: string;
  readonly model: string;
  /** Optional if the service does not require a key. */
  readonly key?: string;
  /** Default: the dimensions of the model. */
  readonly dimensions?: number;
  /** Written before questions, as some models want it; default none. */
  readonly questionPrefix?: string;
  /** Written before all other texts; default none. */
  readonly documentPrefix?: string;
}

/** Texts of one request. */
const BATCH = 32;
/** Statuses that reject the texts themselves: malformed, too long, or unprocessable. */
const REFUSES_TEXTS = new Set([400, 413, 422]);

/** Dimensions of a vector, as many as the configuration can ask for. */
const MOST_DIMENSIONS = 9_999;
/** Bytes of a number in a response with its separators, and of all that is no vector. */
const NUMBER_BYTES = 25;
const OTHER_BYTES = 65_536;

/** Without the entries of the vectors, for which a schema takes ten times as long as a loop. */
const embeddingsResponse = v.object({
  data: v.pipe(
    v.custom<readonly unknown[]>(Array.isArray, "Expected a list"),
    v.maxLength(BATCH),
    v.array(v.object({
      index: v.pipe(v.number(), v.integer(), v.minValue(0)),
      embedding: v.custom<readonly unknown[]>(Array.isArray, "Expected a list of numbers"),
    })),
  ),
});

/** Creates the embedder of one model of a service. Requests run one at a time. */
export function createOpenAiEmbedder(options: OpenAiOptions): Embedder {
  const { url, model, key, dimensions, questionPrefix = "", documentPrefix = "" } = options;
  const endpoint = `${url.replace(/\/+$/, "")}/embeddings`;
  const headers = {
    "content-type": "application/json",
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };

  async function embedBatch(
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Vector[]> {
    const body = JSON.stringify({
      model,
      input: texts,
      encoding_format: "float",
      ...(dimensions !== undefined && { dimensions }),
    });
    const maxBytes = texts.length * MOST_DIMENSIONS * NUMBER_BYTES + OTHER_BYTES;
    const init = { headers, body, maxBytes, ...(signal && { signal }) };
    const response = await postWithRetries(endpoint, init, options).catch(rethrow);
    return await toVectors(response, texts.length);
  }

  return {
    // Another prefix makes other vectors.
    name: [`openai ${model} ${dimensions ?? "whole"}`, documentPrefix].join(" ").trimEnd(),
    embed: async (texts, signal) => {
      const vectors: Vector[] = [];
      for (let at = 0; at < texts.length; at += BATCH) {
        const inputs = texts.slice(at, at + BATCH).map((text) => documentPrefix + inputOf(text));
        vectors.push(...await embedBatch(inputs, signal));
      }
      checkLengths(vectors, dimensions);
      return vectors;
    },
    embedQuestion: async (question, signal) => {
      const vectors = await embedBatch([questionPrefix + question], signal);
      checkLengths(vectors, dimensions);
      // A response without the text was rejected.
      return vectors[0] ?? new Float32Array();
    },
  };
}

function inputOf({ title, text }: TitledText): string {
  return [title, text].filter((part) => part !== "").join("\n\n");
}

/** Throws `TextsRefused` for a status that rejects the texts, and any other error unchanged. */
function rethrow(error: unknown): never {
  if (!(error instanceof StatusError) || !REFUSES_TEXTS.has(error.status)) throw error;
  throw new TextsRefused(error.message, { cause: error });
}

/** Returns the vectors in the order of their indexes. Other requests run in between. */
async function toVectors(body: unknown, count: number): Promise<Vector[]> {
  const parsed = v.safeParse(embeddingsResponse, body);
  if (!parsed.success) throw invalid(parsed.issues[0].message);
  const byIndex = new Map(parsed.output.data.map((one) => [one.index, one.embedding]));
  const rest = createBackgroundRest();
  const vectors: Vector[] = [];
  for (let index = 0; index < count; index++) {
    await rest();
    const embedding = byIndex.get(index);
    if (embedding === undefined) {
      throw new Error(`The response of the embeddings service lacks text ${index}`);
    }
    vectors.push(toUnit(toVector(embedding)));
  }
  return vectors;
}

function toVector(embedding: readonly unknown[]): Vector {
  const { length } = embedding;
  if (length === 0 || length > MOST_DIMENSIONS) throw invalid(`a vector of ${length} dimensions`);
  const vector = new Float32Array(length);
  for (let i = 0; i < length; i++) {
    const entry = embedding[i];
    if (typeof entry !== "number") throw invalid("not a number");
    vector[i] = entry;
    // A float32 is infinite from 3.4e38 on.
    if (!Number.isFinite(vector[i])) throw invalid("a number that is too large");
  }
  return vector;
}

function invalid(detail: string): Error {
  return new Error(`The embeddings service sent an invalid response: ${detail}`);
}

function checkLengths(vectors: readonly Vector[], dimensions: number | undefined): void {
  const expected = dimensions ?? vectors[0]?.length;
  const wrong = vectors.find(({ length }) => length !== expected);
  if (wrong === undefined) return;
  throw new Error(`Expected embeddings with ${expected} dimensions: got ${wrong.length}`);
}
