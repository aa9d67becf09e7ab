/**
 * The embedders of the workspaces' vector spaces.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import { type Embedder, LOCAL } from "../search/embedder.ts";
import { withQuestions } from "../search/embedders/questions.ts";
import { lsaFromBytes } from "../search/meaning/lsa_bytes.ts";
import { lazyPromise } from "../shared/lazy.ts";
import type { VectorSpace, VectorSpaceStore } from "../store/port.ts";

// Brings the rules of many languages.
const local = lazyPromise(() => import("../search/embedders/local.ts"));

/** Learnt models in memory; each takes a few megabytes. */
const MODELS = 16;

export interface Embedders {
  /** Name of the embedder for new spaces. */
  readonly wanted: string;
  /** Returns the dimensions of the service's last embeddings; undefined before the first ones. */
  lastDimensions(): number | undefined;
  /** Returns the embedder of a space; undefined if its service is not configured any more. */
  find(workspace: string, space: VectorSpace): Promise<Embedder | undefined>;
}

/** Creates the embedders. Without a service, models learnt from the workspaces embed texts. */
export function createEmbedders(
  store: Pick<VectorSpaceStore, "model">,
  service?: Embedder,
  now: () => number = () => performance.now(),
): Embedders {
  const learnt = new LRUCache<string, Embedder>({ max: MODELS });
  const watched = service && watch(service);
  const embedding = watched && withQuestions(watched.embedder, now);

  async function findLearnt(workspace: string, number: number): Promise<Embedder | undefined> {
    const key = JSON.stringify([workspace, number]);
    const cached = learnt.get(key);
    if (cached !== undefined) return cached;
    const bytes = await store.model(workspace, number);
    if (bytes === undefined) return undefined;
    const { createLocalEmbedder } = await local();
    const embedder = createLocalEmbedder(lsaFromBytes(bytes));
    learnt.set(key, embedder);
    return embedder;
  }

  return {
    wanted: service?.name ?? LOCAL,
    lastDimensions: () => watched?.lastDimensions(),
    find: async (workspace, { number, embedder }) =>
      embedder === LOCAL
        ? await findLearnt(workspace, number)
        : embedder === embedding?.name
        ? embedding
        : undefined,
  };
}

/** Wraps an embedder to observe the dimensions of its embeddings. */
function watch(
  service: Embedder,
): { readonly embedder: Embedder; readonly lastDimensions: () => number | undefined } {
  let dimensions: number | undefined;
  const { embedQuestion } = service;
  return {
    embedder: {
      ...service,
      embed: async (texts, signal) => {
        const vectors = await service.embed(texts, signal);
        dimensions = vectors[0]?.length ?? dimensions;
        return vectors;
      },
      ...(embedQuestion !== undefined && {
        embedQuestion: async (question, signal) => {
          const vector = await embedQuestion(question, signal);
          dimensions = vector.length;
          return vector;
        },
      }),
    },
    lastDimensions: () => dimensions,
  };
}
