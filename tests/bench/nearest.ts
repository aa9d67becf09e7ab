/**
 * Compares searching many vectors by a full scan and with the index, in one run.
 *
 * @module
 */
import { createPageVectors, type NearPage } from "../../src/search/vectors/page_vectors.ts";
import { pack, type Vector } from "../../src/search/vectors/vector.ts";
import { createClusters } from "../support/clusters.ts";
import { medianTime, report } from "./measure.ts";
import { createProgress } from "./query/progress.ts";

const VECTORS = 1_000_000;
/** Imitates the local embedder: the cosine between a text and its subject is near 0.65. */
const DIMENSIONS = 192;
const CLUSTERS = {
  dimensions: DIMENSIONS,
  fields: 50,
  subjects: 2_000,
  spread: { subject: 1, text: 1.2 },
};
const QUESTIONS = 40;
/** Pages that a semantic search considers. */
const LIMIT = 200;
/** Milliseconds: a search runs two of these, and may take 40 in all. */
const NEAREST_AIM = 15;
const RECALL_AIM = 0.95;

export interface NearestBenchOptions {
  /** Number of vectors. */
  readonly rows?: number;
}

/** Searches for the same questions before and after the vectors are divided. */
export async function benchNearest(
  print: (line: string) => void,
  { rows = VECTORS }: NearestBenchOptions = {},
): Promise<void> {
  const draw = createClusters(CLUSTERS, 7);
  const questions = Array.from({ length: QUESTIONS }, draw);
  const before = Deno.memoryUsage().rss;
  const memory = () => `${Math.round((Deno.memoryUsage().rss - before) / 1e6)} MB`;
  const vectors = createPageVectors(DIMENSIONS, { undivided: rows >> 1 });
  const progress = createProgress(`${rows}`);
  for (let number = 0; number < rows; number++) {
    progress("vectors", number / rows);
    vectors.put(`page ${number.toString().padStart(31, "0")}`, [pack(draw())]);
  }
  progress("done", 1);
  const ask = (question: Vector) => vectors.nearest(question, LIMIT);
  let asked = 0;
  const askNext = () => {
    const question = questions[asked++ % QUESTIONS];
    return Promise.resolve(question && ask(question));
  };
  const exact = questions.map(ask);
  print(`     ${rows} vectors of ${DIMENSIONS} dimensions, ${memory()}`);
  print(`     reading all: ${(await medianTime(askNext, QUESTIONS)).toFixed(2)} ms`);
  print(`     divided: ${divide(vectors.arrange)}, ${memory()}`);
  const value = await medianTime(askNext, QUESTIONS);
  const met = value < NEAREST_AIM;
  print(report("reading the nearest lists", {
    value,
    unit: "ms",
    aim: `< ${NEAREST_AIM.toFixed(1)} ms`,
    met,
  }));
  const recall = recallOf(questions.map(ask), exact);
  print(report(`of the nearest ${LIMIT} found`, {
    value: recall,
    unit: "",
    aim: `> ${RECALL_AIM}`,
    met: recall > RECALL_AIM,
  }));
}

/** Does all pieces of maintenance; returns the total time and the longest piece. */
function divide(arrange: () => boolean): string {
  let longest = 0;
  const began = performance.now();
  for (let start = began; arrange(); start = performance.now()) {
    longest = Math.max(longest, performance.now() - start);
  }
  const seconds = (performance.now() - began) / 1_000;
  return `within ${seconds.toFixed(0)} s, the longest piece ${longest.toFixed(0)} ms`;
}

/** Returns the share of the nearest pages that was found. */
function recallOf(found: readonly NearPage[][], exact: readonly NearPage[][]): number {
  const shares = exact.map((pages, index) => {
    const ids = new Set(found[index]?.map(({ pageId }) => pageId));
    return pages.filter(({ pageId }) => ids.has(pageId)).length / pages.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
