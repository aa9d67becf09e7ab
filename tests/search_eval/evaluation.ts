/**
 * Asks ways of searching the questions of a collection, and measures the answers.
 *
 * @module
 */
import type { Topic } from "./collection.ts";
import { mean, measure, type Measures } from "./measures.ts";

/** One way of searching: returns the IDs of up to a hundred documents, best first. */
export interface Way {
  readonly name: string;
  search(query: string): Promise<readonly string[]> | readonly string[];
}

export interface Evaluation extends Measures {
  readonly name: string;
  /** Half of the questions took less, in milliseconds. */
  readonly time: number;
}

/** Asks every question and measures the answers; `progress` is called with the share that is done. */
export async function evaluate(
  way: Way,
  topics: readonly Topic[],
  progress: (share: number) => void = () => {},
): Promise<Evaluation> {
  const each: Measures[] = [];
  const times: number[] = [];
  for (const [index, { query, relevance }] of topics.entries()) {
    const start = performance.now();
    const ranking = await way.search(query);
    times.push(performance.now() - start);
    const measures = measure(ranking, relevance);
    if (measures !== undefined) each.push(measures);
    progress((index + 1) / topics.length);
  }
  times.sort((a, b) => a - b);
  return { name: way.name, ...mean(each), time: times[times.length >> 1] ?? 0 };
}
