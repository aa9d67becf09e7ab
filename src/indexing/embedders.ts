/**
 * The embedders of the spaces that workspaces have.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import type { Embedder } from "../search/embedder.ts";
import { createLocalEmbedder, LOCAL } from "../search/embedders/local.ts";
import { lsaFromBytes } from "../search/meaning/lsa_bytes.ts";
import type { VectorSpace, VectorSpaceStore } from "../store/port.ts";

/** Learnt models in memory, of some megabytes each. */
const MODELS = 16;

export interface Embedders {
  /** What new spaces are made with. */
  readonly wanted: string;
  /** Dimensions of what the service answered with last; undefined before its first answer. */
  answered(): number | undefined;
  /** The embedder of a space; undefined where it was made by a service that is no longer set. */
  find(workspace: string, space: VectorSpace): Promise<Embedder | undefined>;
}

/** The embedders of this configuration; without a service, texts are embedded by what is learnt. */
export function createEmbedders(
  store: Pick<VectorSpaceStore, "model">,
  service?: Embedder,
): Embedders {
  const learnt = new LRUCache<string, Embedder>({ max: MODELS });
  const watched = service && watch(service);

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
    answered: () => watched?.answered(),
    find: async (workspace, { number, embedder }) =>
      embedder === LOCAL
        ? await findLearnt(workspace, number)
        : embedder === watched?.embedder.name
        ? watched?.embedder
        : undefined,
  };
}

/** The same embedder, and the dimensions of what it answered with last. */
function watch(
  { name, embed }: Embedder,
): { readonly embedder: Embedder; readonly answered: () => number | undefined } {
  let dimensions: number | undefined;
  return {
    embedder: {
      name,
      embed: async (texts, signal) => {
        const vectors = await embed(texts, signal);
        dimensions = vectors[0]?.length ?? dimensions;
        return vectors;
      },
    },
    answered: () => dimensions,
  };
}
