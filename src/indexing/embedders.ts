/**
 * The embedders of the spaces that workspaces have.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import type { Embedder } from "../search/embedder.ts";
import { createLocalEmbedder, LOCAL } from "../search/embedders/local.ts";
import { lsaFromBytes } from "../search/meaning/lsa_bytes.ts";
import type { Store } from "../store/port.ts";
import type { VectorSpace } from "../store/vector_port.ts";

/** Learnt models in memory, of some megabytes each. */
const MODELS = 16;

export interface Embedders {
  /** What new spaces are made with. */
  readonly wanted: string;
  /** The embedder of a space; undefined where it was made by a service that is no longer set. */
  find(workspace: string, space: VectorSpace): Promise<Embedder | undefined>;
}

/** The embedders of this configuration; without a service, texts are embedded by what is learnt. */
export function createEmbedders(store: Pick<Store, "model">, service?: Embedder): Embedders {
  const learnt = new LRUCache<string, Embedder>({ max: MODELS });

  async function findLearnt(workspace: string, number: number): Promise<Embedder | undefined> {
    const key = JSON.stringify([workspace, number]);
    const known = learnt.get(key);
    if (known !== undefined) return known;
    const bytes = await store.model(workspace, number);
    if (bytes === undefined) return undefined;
    const embedder = createLocalEmbedder(lsaFromBytes(bytes));
    learnt.set(key, embedder);
    return embedder;
  }

  return {
    wanted: service?.name ?? LOCAL,
    find: async (workspace, { number, embedder }) =>
      embedder === LOCAL
        ? await findLearnt(workspace, number)
        : embedder === service?.name
        ? service
        : undefined,
  };
}
