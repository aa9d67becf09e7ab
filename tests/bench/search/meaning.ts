/**
 * Measures semantic search: training, computing vectors, and searching.
 *
 * @module
 */
import type { TestApp } from "../../support/app.ts";
import { medianTime, report } from "../measure.ts";
import type { Progress } from "../query/progress.ts";
import { WORKSPACE } from "./build.ts";
import { createWords, type Language } from "./words.ts";

const TIMES = 41;
/** Median milliseconds of a search, and pages whose vectors are computed per second. */
const SEARCH_AIM = 40;
const INDEXING_AIM = 500;

const MODES = ["semantic", "hybrid"] as const;
const QUESTION_WORDS = 8;

/** Steps between two readings of the queue's length, which take as long as a step. */
const SHOWN = 50;

/**
 * Trains on the workspace and computes all vectors, like the background work but without pauses.
 */
export async function measureIndexing(
  print: (line: string) => void,
  { app, store }: Pick<TestApp, "app" | "store">,
  { pages, progress }: { readonly pages: number; readonly progress: Progress },
): Promise<void> {
  const { signal } = new AbortController();
  const began = performance.now();
  // The first step trains if the workspace is new or has outgrown its model.
  await app.indexing.step(signal);
  print(`     learnt within ${Math.round((performance.now() - began) / 1_000)} s`);
  const start = performance.now();
  for (let step = 0; await app.indexing.step(signal); step++) {
    if (step % SHOWN === 0) progress("vectors", 1 - await store.countDue(WORKSPACE) / pages);
  }
  progress("done", 1);
  const value = pages * 1_000 / (performance.now() - start);
  const met = value > INDEXING_AIM;
  print(report("pages whose vectors are made each second", {
    value,
    unit: "/s",
    aim: `> ${INDEXING_AIM}/s`,
    met,
  }));
}

/** Searches for common and rare words. */
export async function measureMeaning(
  print: (line: string) => void,
  app: Pick<TestApp, "call" | "mint">,
  language: Language,
): Promise<void> {
  const token = await app.mint();
  for (const mode of MODES) {
    const words = createWords(99, language);
    let rankedBy = "";
    const ask = async () => {
      const body = { query: words.text(QUESTION_WORDS), mode, page_size: 20 };
      const answer = await app.call("POST /v2/search/semantic", { body, token });
      if (answer.status !== 200) throw new Error(`The search was answered ${answer.text}`);
      rankedBy = answer.json.search.ranked_by;
    };
    const value = await medianTime(ask, TIMES);
    const met = value < SEARCH_AIM && rankedBy === mode;
    const aim = `< ${SEARCH_AIM.toFixed(1)} ms`;
    print(report(`by meaning, ranked by ${rankedBy}`, { value, unit: "ms", aim, met }));
  }
}
