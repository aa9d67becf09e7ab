/**
 * Durations counted in buckets, without an allocation for each.
 *
 * @module
 */
import type { Labels, Sample } from "./metrics.ts";

export interface Histogram {
  /** Counts a duration in milliseconds. */
  observe(milliseconds: number): void;
  /** Returns the samples, in seconds; none before the first duration. */
  samples(labels?: Labels): Sample[];
}

/** Upper bounds in seconds: from half a millisecond to the time limit of a request. */
export const DURATIONS: readonly number[] = [
  ...[0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5],
  ...[1, 2.5, 5, 10, 30],
];

/** Creates an empty histogram of durations up to these bounds in seconds, and of longer ones. */
export function createHistogram(bounds: readonly number[] = DURATIONS): Histogram {
  const limits = Float64Array.from(bounds, (bound) => bound * 1_000);
  const counts = new Float64Array(bounds.length + 1);
  const labelled = [...bounds.map(String), "+Inf"];
  let sum = 0;
  let count = 0;
  return {
    observe(milliseconds) {
      let bucket = 0;
      while (milliseconds > (limits[bucket] ?? Infinity)) bucket++;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      sum += milliseconds;
      count++;
    },
    samples(labels = {}) {
      if (count === 0) return [];
      let below = 0;
      const buckets = labelled.map((le, bucket): Sample => {
        below += counts[bucket] ?? 0;
        return [{ ...labels, le }, below, "_bucket"];
      });
      return [...buckets, [labels, sum / 1_000, "_sum"], [labels, count, "_count"]];
    },
  };
}
