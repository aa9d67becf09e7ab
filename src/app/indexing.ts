/**
 * Opens the work in the background that computes and arranges the vectors of semantic search.
 *
 * @module
 */
import type { Config } from "../config/config.ts";
import { type Background, createBackground } from "../indexing/background.ts";
import { createEmbedders } from "../indexing/embedders.ts";
import { createIndexer, type Indexer } from "../indexing/indexer.ts";
import { createVectorSpaces, type VectorSpaces } from "../indexing/spaces.ts";
import type { Embedder } from "../search/embedder.ts";
import { createOpenAiEmbedder } from "../search/embedders/openai.ts";
import { summarize } from "../shared/log.ts";
import { learnInWorker } from "../workers/lsa_learner.ts";
import type { AppOptions } from "./app.ts";

export interface IndexingOptions extends Pick<AppOptions, "config" | "store" | "log"> {
  readonly now: () => number;
  /** True if this process does the work. */
  readonly runs: boolean;
}

export interface Indexing {
  readonly spaces: VectorSpaces;
  readonly indexer: Indexer;
  readonly background: Background;
}

/** Creates the work that keeps vectors up to date. */
export function openIndexing(
  { config, store, log, now, runs }: IndexingOptions,
): Indexing {
  const embedders = createEmbedders(store, createServiceEmbedder(config.embeddings));
  const indexer = createIndexer({
    store,
    embedders,
    now,
    learn: learnInWorker,
    onRefused: (page, { message }) =>
      log.event("warn", `A page is missing from semantic search: ${message}`, { page }),
  });
  const spaces = createVectorSpaces(store, embedders, { onOtherDimensions: indexer.look });
  const vectorWork = createBackground({
    step: indexer.step,
    onFailure: (error) =>
      log.event("warn", `Computing vectors failed, will retry: ${summarize(error)}`),
  });
  const indexWork = createBackground({
    step: spaces.arrange,
    onFailure: (error) =>
      log.event("warn", `Indexing vectors failed, will retry: ${summarize(error)}`),
  });
  const works = [vectorWork, indexWork];
  return {
    spaces,
    indexer,
    background: {
      start: () => runs && works.forEach(({ start }) => start()),
      stop: async () => void await Promise.all(works.map(({ stop }) => stop())),
    },
  };
}

/** Creates the client of the embeddings service; undefined if a local model is used. */
function createServiceEmbedder(embeddings: Config["embeddings"]): Embedder | undefined {
  if (embeddings === undefined) return undefined;
  const { url, model, key, dimensions, questionPrefix, documentPrefix } = embeddings;
  return createOpenAiEmbedder({
    url,
    model,
    ...(key !== undefined && { key }),
    ...(dimensions !== undefined && { dimensions }),
    ...(questionPrefix !== undefined && { questionPrefix }),
    ...(documentPrefix !== undefined && { documentPrefix }),
  });
}
