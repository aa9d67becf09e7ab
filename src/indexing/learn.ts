/**
 * Learns a semantic model from a workspace's own pages.
 *
 * @module
 */
import type { Passage } from "../search/passages.ts";
import { createBackgroundRest } from "../shared/yield_to_event_loop.ts";
import type { VectorStore } from "../store/port.ts";
import { readPassages, type TextStore } from "./page_texts.ts";

/** Fewer texts show too little about the use of words. */
const FEWEST_TEXTS = 100;
/** More texts hardly improve the model, but take proportionally more time and memory. */
const MOST_TEXTS = 10_000;
/** Pages in memory at once. */
const BATCH = 32;
const IDS = 1_000;

type PageList = Pick<VectorStore, "pageIds">;

export interface LearnOptions {
  /** Approximate number of pages in the workspace. */
  readonly pages: number;
  readonly signal: AbortSignal;
  /** Learns a model from passages and returns it as bytes. */
  learn(passages: readonly Passage[], signal: AbortSignal): Promise<Uint8Array>;
}

/** Learns a model from a sample of the workspace; undefined if the workspace is too small. */
export async function learnWorkspace(
  store: TextStore & PageList,
  workspace: string,
  { pages, signal, learn }: LearnOptions,
): Promise<Uint8Array | undefined> {
  const ids = await sampleIds(store, workspace, Math.ceil(pages / MOST_TEXTS));
  const passages: Passage[] = [];
  // One for all batches: one of them may be too short for a pause.
  const rest = createBackgroundRest();
  for (let at = 0; at < ids.length && passages.length < MOST_TEXTS; at += BATCH) {
    signal.throwIfAborted();
    const batch = ids.slice(at, at + BATCH);
    passages.push(...(await readPassages(store, workspace, batch, rest)).flat());
  }
  if (passages.length < FEWEST_TEXTS) return undefined;
  return await learn(passages.slice(0, MOST_TEXTS), signal);
}

/** Returns the ID of every `step`-th page. */
async function sampleIds(
  store: PageList,
  workspace: string,
  step: number,
): Promise<string[]> {
  const sampled: string[] = [];
  let seen = 0;
  let after: string | undefined = "";
  const rest = createBackgroundRest();
  while (after !== undefined) {
    await rest();
    const ids: string[] = await store.pageIds(workspace, { after, limit: IDS });
    for (const id of ids) {
      if (seen++ % step === 0) sampled.push(id);
    }
    after = ids.at(-1);
  }
  return sampled;
}
